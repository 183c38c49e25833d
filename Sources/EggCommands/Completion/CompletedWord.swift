import EggProtocol
import EggTime

/// The word at the cursor, and what it can be among the arguments of its verb.
struct CompletedWord {
  private let text: String
  private let arguments: VerbArguments
  private let earlier: VerbArguments.Sorted

  init(_ text: String, after words: some Sequence<String>, of arguments: VerbArguments) {
    self.text = text
    self.arguments = arguments
    earlier = arguments.sorted(words)
  }

  /// The earlier words that are neither options nor their values.
  private var positionals: [String] { earlier.positionals }

  func offer(in surroundings: Surroundings) -> Offer {
    let isPastOptions = earlier.isPastOptions
    if let awaiting = earlier.awaiting, !text.hasPrefix("--") {
      return values(of: awaiting, typed: text, in: surroundings)
    }
    if !isPastOptions, text.hasPrefix("-") {
      let name = text.prefix { $0 != "=" }
      guard name.count < text.count else { return options }
      guard let option = arguments.option(name), option.kind == .option else { return Offer() }
      var offer = values(of: option, typed: String(text.dropFirst(name.count + 1)), in: surroundings)
      offer.candidates = offer.candidates.map { .init("\(name)=\($0.value)", $0.description) }
      return offer
    }
    let declared = arguments.positionals
    if positionals.count < declared.count {
      return values(of: declared[positionals.count], typed: text, in: surroundings)
    }
    if let last = declared.last, last.isRepeating { return values(of: last, typed: text, in: surroundings) }
    return isPastOptions || !text.isEmpty ? Offer() : options
  }

  private var options: Offer {
    let given = Set(earlier.options.flatMap { $0.argument?.names?.map(\.text) ?? [] })
    var candidates: [Offer.Candidate] = []
    for option in arguments.options {
      let names = option.names ?? []
      guard let name = names.first(where: { $0.kind == .long }) ?? names.first else { continue }
      if option.isRepeating || !given.contains(name.text) {
        candidates.append(.init(name.text, option.abstract))
      }
    }
    return Offer(candidates: candidates)
  }

  private func values(
    of argument: VerbArguments.Argument, typed: String, in surroundings: Surroundings
  ) -> Offer {
    guard let source = argument.source else {
      let list = argument.completionKind?.list?.values ?? []
      let isFile = argument.completionKind?.file != nil
      return Offer(kind: isFile ? .files : .words, candidates: list.map { .init($0) })
    }
    switch source {
    case .groups: return Offer(candidates: LiveValues(surroundings)?.groups() ?? [])
    case .daysOff:
      let none = argument.kind == .option ? [Offer.Candidate("none")] : []
      return Offer(candidates: (LiveValues(surroundings)?.daysOff() ?? []) + none)
    case .zones: return Offer(candidates: Zone.machineNames().map { .init($0) })
    case .timers where typed.first?.isUppercase != true:
      return Offer(candidates: positionals.isEmpty ? LiveValues(surroundings)?.timers() ?? [] : [])
    case .times, .timers:
      // Other words of a time begin with a small letter or a digit.
      guard typed.first?.isUppercase == true else { return Offer() }
      return Offer(candidates: Zone.machineNames().map { .init($0) })
    case .sounds:
      let names = ["none", "default"] + ValueSource.soundNames()
      return Offer(kind: .files, candidates: names.map { .init($0) })
    case .programs: return Offer(kind: .files, candidates: surroundings.programNames(typed).map { .init($0) })
    default:
      // What follows the alarms is a time or a span.
      let isPastAlarms = positionals.contains { (try? WireSelection.read([$0]).rest.isEmpty) != true }
      guard argument.kind == .option || !isPastAlarms else { return Offer() }
      guard typed.isEmpty || Int64(typed) != nil else {
        // Behind the first, edit has a time.
        guard source != .alarms || positionals.isEmpty else { return Offer() }
        return Offer(candidates: LiveValues(surroundings)?.labels(source, prefix: typed) ?? [])
      }
      let found = LiveValues(surroundings)?.alarms(source, prefix: typed, except: Set(positionals))
      return Offer(kind: .alarms, candidates: found ?? [])
    }
  }
}
