import Alarms
import EggProtocol
import EggTime
import Gettext

/// What a desktop's search box finds behind the word `egg`: the alarm that the words would schedule, or both where they
/// can be read in two ways; behind the word alone what rings, and what is next.
///
/// It keeps nothing: a result's id says all that ``perform(_:)`` needs.
package struct SearchBox {
  package struct Result: Equatable {
    package let id: String
    package let name: String
    /// What Enter does.
    package let detail: String
  }

  package enum Outcome: Equatable {
    case done
    /// The person is to see the list.
    case list
    /// The reason.
    case failed(String)
  }

  /// Other texts are not for eggd.
  private static let names: Set<String> = ["egg", "eggs", "계란", "달걀"]
  /// Of a text or an id, in bytes. A label has at most 512, a time 200.
  private static let longest = 1_000
  /// A time with a label has fewer. Each more takes longer to read.
  private static let mostWords = 60
  package static let most = 5

  private let surroundings: Surroundings

  /// For one question, as eggd's settings are asked once.
  package init() {
    var surroundings = Surroundings.process
    surroundings.output = Output(colours: (false, false)) { _, _ in }
    surroundings.ask = nil
    surroundings.unit = nil
    // Whoever types waits.
    surroundings.patience = { _ in .seconds(10) }
    self.init(surroundings)
  }

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// The best first; none for a text that is refused.
  package func results(for text: String) -> [Result] {
    guard text.utf8.count <= Self.longest else { return [] }
    let words = Self.words(of: text)
    guard words.count <= Self.mostWords, let name = words.first?.lowercased(), Self.names.contains(name)
    else { return [] }
    let deeds = words.count == 1 ? present() : choices(Array(words[1...]))
    return Array(deeds.lazy.compactMap(result).prefix(Self.most))
  }

  /// nil if it is the id of nothing that can be done now.
  package func result(of id: String) -> Result? { deed(id).flatMap(result) }

  /// Does what Enter does.
  package func perform(_ id: String) -> Outcome {
    do {
      switch deed(id) {
      case .schedule(let words, let label):
        // Behind `--` no word is an option.
        let words = (label.map { ["--label=\($0)"] } ?? []) + ["--"] + words
        _ = try Schedule.parse(words).schedule(in: surroundings)
      case .dismiss(let number):
        _ = try Connection(surroundings)
          .change(DismissCall(WireSelection(numbers: [number])), precondition: Dismiss.precondition)
      case .list: return .list
      case nil: return .failed(tr("nothing was changed"))
      }
      return .done
    } catch {
      return .failed((error as? Failure)?.message ?? "\(error)".visible)
    }
  }

  /// What a result stands for. An id has its parts in lines, which no text of an alarm has.
  private enum Deed {
    case schedule([String], label: String?)
    case dismiss(Int64)
    case list

    var id: String {
      switch self {
      case .schedule(let words, let label): "schedule\n\(label ?? "")\n" + words.joined(separator: "\n")
      case .dismiss(let number): "dismiss\n\(number)"
      case .list: "list"
      }
    }
  }

  private func deed(_ id: String) -> Deed? {
    guard id.utf8.count <= Self.longest else { return nil }
    let parts = id.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count) {
    case ("schedule", 3...): return .schedule(Array(parts[2...]), label: parts[1].isEmpty ? nil : parts[1])
    case ("dismiss", 2): return Int64(parts[1]).map { .dismiss($0) }
    case ("list", 1): return .list
    default: return nil
    }
  }

  /// What stands in quotes is one word.
  private static func words(of text: String) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().flatMap { place, part in
      place.isMultiple(of: 2)
        ? part.split(whereSeparator: \.isWhitespace).map(String.init) : part.isEmpty ? [] : [String(part)]
    }
  }

  /// What rings, to be dismissed, and the list.
  private func present() -> [Deed] {
    var call = ListCall(limit: Int64(Self.most) - 1, states: [.ringing], fields: [])
    call.totals = false
    let ringing = try? Connection(surroundings).read(call).alarms
    return (ringing ?? []).map { .dismiss($0.number) } + [.list]
  }

  private func choices(_ words: [String]) -> [Deed] {
    do {
      _ = try read(words)
      return [.schedule(words, label: nil)]
    } catch {
      return (error as? Failure)?.choices.map { .schedule([$0.expression], label: $0.label) } ?? []
    }
  }

  /// As eggctl schedule reads them.
  private func read(_ words: [String]) throws -> ExpressionWords {
    let context = try surroundings.readingContext()
    func split(_ words: [String]) throws -> ExpressionWords {
      try ExpressionWords.split(words, command: "eggctl schedule", as: nil, in: context)
    }
    do {
      return try split(words)
    } catch {
      guard let preset = surroundings.preset(named: words[0]) else { throw error }
      var found = try split([preset.time] + words.dropFirst())
      found.label = found.label ?? preset.label
      return found
    }
  }

  private func result(_ deed: Deed) -> Result? {
    guard let context = try? surroundings.readingContext() else { return nil }
    let moments = Moments(zone: context.zone, now: context.now, dates: surroundings.dates)
    let text = AlarmText(moments: moments)
    switch deed {
    case .schedule(let words, let label):
      guard var found = try? read(words) else { return nil }
      found.label = label ?? found.label
      guard let alarm = alarm(found, context) else { return nil }
      let said = [found.label?.visible, found.expression.visible, found.moments.map(moments.text)]
      return Result(
        id: deed.id, name: text.words(alarm),
        detail: (said.compactMap(\.self) + [tr("Enter schedules it")]).joined(separator: " · "))
    case .dismiss(let number):
      guard let alarm = try? Connection(surroundings).read(ShowCall(number: number)).alarm,
        alarm.state == .ringing
      else { return nil }
      return Result(id: deed.id, name: text.line(alarm).trimmed, detail: tr("Enter dismisses it"))
    case .list:
      guard let alarm = try? Connection(surroundings).nextAlarm() else { return nil }
      return Result(id: deed.id, name: text.line(alarm).trimmed, detail: tr("Enter shows all alarms"))
    }
  }

  /// As eggd would schedule it, without the label, as KRunner shows little of a line; nil if it would not.
  private func alarm(_ found: ExpressionWords, _ context: ReadingContext) -> WireAlarm? {
    guard found.label.flatMap(AlarmOptions.failure(ofLabel:)) == nil,
      let time = try? surroundings.expression(reading: found.expression, as: nil, in: context),
      let due = try? time.instant(in: context), due <= .latest
    else { return nil }
    return WireAlarm(reading: time, due: due, in: context.zone)
  }
}

extension String {
  /// Without the newline behind it.
  fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
