import Alarms
import EggProtocol
import EggTime
import Gettext

/// What a desktop's search box finds behind the word `egg`: the alarm that the words would schedule, or both where they
/// can be read in two ways; behind the word alone what rings, and what is next. eggd-search asks it, as
/// `eggctl search-box`.
///
/// It keeps nothing: a result's id says all that ``enter(_:)`` needs. What a person has been shown is what Enter schedules:
/// the id of a time that names a moment holds that moment, as `7:30` names another one when that has passed. A span counts
/// from Enter, as a person who presses it says `from now`; and what recurs keeps its rule.
struct SearchBox {
  /// The word behind `eggctl`. It is no verb: ArgumentParser would read the words.
  static let name = "search-box"

  struct Result: Equatable {
    let id: String
    let name: String
    /// What Enter does.
    let detail: String
  }

  /// A time with a label has fewer. Each more takes longer to read.
  private static let mostWords = 60
  private static let most = 5

  private let surroundings: Surroundings

  init(_ surroundings: Surroundings) {
    var surroundings = surroundings
    surroundings.output = Output(colours: (false, false)) { _, _ in }
    surroundings.ask = nil
    surroundings.unit = nil
    // Whoever typed waits.
    surroundings.patience = { _ in .seconds(10) }
    self.surroundings = surroundings
  }

  /// What to print, with a NUL behind each part: for `find TEXT` and `show ID …` the id, name and detail of each result,
  /// for `enter ID` why nothing was done, as the body of a notification; empty if it was done.
  func answer(_ words: [String]) -> String {
    let rest = words.dropFirst()
    let parts: [String] =
      switch words.first {
      case "find": results(for: rest.joined(separator: " ")).flatMap { [$0.id, $0.name, $0.detail] }
      case "show": rest.compactMap(result(of:)).flatMap { [$0.id, $0.name, $0.detail] }
      case "enter": [enter(rest.first ?? "")?.body ?? ""]
      default: []
      }
    return parts.map { $0 + "\0" }.joined()
  }

  /// The best first; none for a text that is refused.
  func results(for text: String) -> [Result] {
    let words = Self.words(of: text)
    guard words.count < Self.mostWords else { return [] }
    return Array((words.isEmpty ? present() : choices(words)).lazy.compactMap(result).prefix(Self.most))
  }

  /// nil if it is the id of nothing that can be done now.
  func result(of id: String) -> Result? { Deed(id).flatMap(result) }

  /// Does what Enter does, but for the list, which eggd-search opens.
  func enter(_ id: String) -> Failure? {
    do {
      switch Deed(id) {
      case .schedule(let words, let label, let shown):
        // Behind `--` no word is an option.
        let words = (label.map { ["--label=\($0)"] } ?? []) + ["--"] + words
        _ = try Schedule.parse(words).schedule(as: "eggctl schedule", in: surroundings, shown: shown)
      case .dismiss(let number):
        _ = try Connection(surroundings)
          .change(DismissCall(WireSelection(numbers: [number])), precondition: Dismiss.precondition)
      case .list, nil: return Failure(.usage, tr("nothing was changed"))
      }
      return nil
    } catch {
      return error as? Failure ?? Failure(.bug, "\(error)".visible)
    }
  }

  /// What a result stands for. An id has its parts in lines, which no text of an alarm has.
  private enum Deed {
    case schedule([String], label: String?, shown: Instant?)
    case dismiss(Int64)
    case list

    var id: String {
      switch self {
      case .schedule(let words, let label, let shown):
        (["schedule", label ?? "", shown.map { "\($0.microseconds)" } ?? ""] + words).joined(separator: "\n")
      case .dismiss(let number): "dismiss\n\(number)"
      case .list: "list"
      }
    }

    init?(_ id: String) {
      let parts = id.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      switch (parts[0], parts.count) {
      case ("schedule", 4...):
        let shown = Int64(parts[2])
        guard parts[2].isEmpty || shown.map((0...Instant.latest.microseconds).contains) == true else {
          return nil
        }
        self = .schedule(
          Array(parts[3...]), label: parts[1].isEmpty ? nil : parts[1],
          shown: shown.map(Instant.init(microseconds:)))
      case ("dismiss", 2):
        guard let number = Int64(parts[1]) else { return nil }
        self = .dismiss(number)
      case ("list", 1): self = .list
      default: return nil
      }
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
      return [try choice(words)]
    } catch {
      let choices = (error as? Failure)?.choices ?? []
      return choices.compactMap { try? choice([$0.expression], label: $0.label) }
    }
  }

  private func choice(_ words: [String], label: String? = nil) throws -> Deed {
    let context = try surroundings.readingContext()
    let time = try surroundings.expression(
      reading: read(words, in: context).expression, as: nil, in: context)
    // `1 month` counts from Enter, too.
    let movesOn = time.kind != .timestamp || time.hint == .calendarUnits
    return .schedule(words, label: label, shown: movesOn ? nil : time.moment)
  }

  /// As eggctl schedule reads them.
  private func read(_ words: [String], in context: ReadingContext) throws -> ExpressionWords {
    var (found, preset) = try surroundings.split(words, as: nil, "eggctl schedule", in: context)
    found.label = found.label ?? preset?.label
    return found
  }

  private func result(_ deed: Deed) -> Result? {
    guard let context = try? surroundings.readingContext() else { return nil }
    let moments = Moments(zone: context.zone, now: context.now, dates: surroundings.dates)
    let text = AlarmText(moments: moments)
    switch deed {
    case .schedule(let words, let label, let shown):
      guard var found = try? read(words, in: context),
        let expression = try? surroundings.text(of: found.expression, at: shown, in: context)
      else { return nil }
      (found.expression, found.label) = (expression, label ?? found.label)
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

extension Failure {
  /// Why, and what to do about it, as a notification's body. The desktops with search boxes read bodies as markup.
  fileprivate var body: String { [message, hint].compactMap(\.self).joined(separator: "\n").asMarkup }
}

extension String {
  /// Without the newline behind it.
  fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
