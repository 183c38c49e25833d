import Alarms
import EggProtocol
import EggTime
import Gettext

extension ScheduleError {
  /// The error in words, with its exit status. `moment` words an instant on the caller's clock;
  /// `precondition` names the state that the verb needs.
  func failure(precondition: String?, moment: (Instant) -> String) -> Failure {
    var failure = words(precondition: precondition, moment: moment)
    failure.cause = self
    return failure
  }

  private func words(precondition: String?, moment: (Instant) -> String) -> Failure {
    switch self {
    case .noSuchAlarm(let numbers, let ids):
      .missing(numbers, ids)
    case .invalidExpression(let expression, let offset, let reason, let nearest, let readings):
      .unreadable(
        expression, at: Int(clamping: offset), reason: reason,
        readings: readings ?? [nearest].compactMap(\.self))
    case .inThePast(let expression, let due):
      Failure(
        .usage, tr("'\(expression.visible)' is in the past: \(moment(due))"),
        excerpt: Excerpt.caret(under: 0, in: expression),
        hint: tr("a time alone, such as 07:30, means the next one"))
    case .invalidDue(let number, let due):
      Failure(
        .usage,
        due > .latest
          ? tr("alarm \(number) would ring after \(moment(.latest)), the latest possible moment")
          : tr("alarm \(number) would ring at \(moment(due)), which is in the past"),
        hint: "eggctl show \(number)")
    case .labelTooLong(let characters, let limit):
      .labelTooLong(characters, limit: limit)
    case .invalidText(let field, let limit):
      .invalidText(field, limit: limit)
    case .invalidZone(let zone):
      Failure(
        .usage, tr("there is no zone '\(zone.visible)' on this machine"),
        hint: tr("set TZ to the name of a file in /usr/share/zoneinfo, such as Europe/Paris"))
    case .wrongState(let number, let state):
      Failure(
        .refused, tr("alarm \(number) is \(state.word)") + (precondition.map { ": \($0)" } ?? ""),
        hint: "eggctl show \(number)")
    case .noElapseLeft(let number, let expression, let until):
      Failure(
        .refused,
        until.map { tr("alarm \(number) ends at \(moment($0)), before it would ring again") }
          ?? tr("the --count of alarm \(number) is used up"),
        hint: "eggctl edit \(number) \(Self.recurring(expression)) "
          + (until == nil ? "--count NUMBER" : "--until WHEN"))
    case .keyInUse(let key, let number):
      Failure(
        .refused, tr("key '\(key.visible)' is already used by alarm \(number), with other settings"),
        hint: "eggctl show \(number)")
    case .missingParameter(let names):
      Failure(.usage, tr("the call needs one of \(names.map(\.visible).list)"))
    case .nothingToUndo: Failure(.refused, tr("there is nothing to undo"), hint: "eggctl log")
    case .changedSince:
      Failure(.refused, tr("something else was changed meanwhile; nothing was undone"), hint: "eggctl undo")
    case .noSuchGroup(let name):
      Failure(
        .refused, tr("there is no group '\(name.visible)'"),
        hint: tr("eggctl group lists them; eggctl group create \(name.shellQuoted) creates it"))
    case .groupExists(let name):
      Failure(
        .refused, tr("a group '\(name.visible)' already exists"),
        hint: "eggctl group show \(name.shellQuoted)")
    case .noSuchDaysOff(let name, let known):
      Failure(
        .refused, tr("there are no days off '\(name.visible)'"),
        hint: known.isEmpty
          ? "eggctl daysoff import FILE --name \(name.shellQuoted)"
          : tr("eggctl daysoff lists them: \(known.map(\.visible).list)"))
    case .daysOffExist(let name):
      Failure(
        .refused, tr("days off '\(name.visible)' already exist"),
        hint: "eggctl daysoff list \(name.shellQuoted)")
    case .daysOffInUse(let name, let numbers):
      Failure(
        .refused, tr("days off '\(name.visible)' are used by \(numbers.numberList)"),
        hint: "eggctl edit \(numbers.first.map(String.init) ?? "") --except none")
    case .tooManySkips(let number, let most):
      Failure(
        .refused, tr("alarm #\(number) can skip \(most) ranges at most"),
        hint: "eggctl skip \(number) --clear")
    case .leadTooLong(let lead, let interval, _):
      Failure(
        .usage,
        tr("it rings every \(SpanText.whole(interval)), so \(lead.words) before is too long"),
        hint: Lead(seconds: Int(interval.microseconds / 2_000_000)).map {
          "--before \($0.description.shellQuoted)"
        })
    case .neverRings(let number):
      Failure(
        .usage,
        tr("it would never ring: all its rings are past, or on days on which it keeps quiet"),
        hint: number.map { "eggctl show \($0)" } ?? "eggctl daysoff list")
    case .tooManyAlarms(let most):
      Failure(
        .refused, tr("one change can be of \(most) alarms at most; nothing was changed"),
        hint: tr("take them in parts: a range of numbers such as 1-\(most), or a part of the file"))
    case .invalidConfiguration(let mistake):
      Failure(
        .refused, mistake.description.visible,
        hint: tr("the earlier settings hold: eggctl config shows them"))
    case .commandForbidden:
      Failure(
        .notPermitted, tr("nothing may set, repeat or bring back a command over this connection"),
        hint: tr("the ssh key allows none; do it on that machine itself"))
    case .storeUnavailable(let reason):
      Failure(
        .refused, tr("the change may not have been stored: \(tr(received: reason).visible)"),
        hint: "eggctl status")
    case .tooSlow:
      Failure(
        .refused, tr("the output was read too slowly, so eggd closed the stream"),
        hint: tr("start again; eggctl list and eggctl history show what you missed"))
    }
  }

  /// Words by which eggctl reads the text as recurring: `--every "mon 07:30"`, or the text alone where that says so.
  private static func recurring(_ text: String) -> String {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc)
    if case .recurring = (try? TimeExpression.read(text, in: context))?.reading { return text.shellQuoted }
    return "--every \(text.shellQuoted)"
  }
}

extension Failure {
  static func missing(_ numbers: [Int64], _ ids: [AlarmID], _ ranges: [NumberRange] = []) -> Failure {
    let spans = ranges.map { (first: $0.first, name: "\($0.first)-\($0.last)") }
    let all = (spans + numbers.map { (first: $0, name: String($0)) }).sorted { $0.first < $1.first }
    let names = all.map(\.name) + ids.map(\.description)
    let shown = names.count > 10 ? Array(names[..<9]) + [tr("\(names.count - 9) others")] : names
    return Failure(
      .refused,
      shown.isEmpty
        ? tr("there is no such alarm")
        : tr(
          one: "there is no alarm \(shown.list)", many: "there are no alarms \(shown.list)",
          count: ranges.isEmpty ? Int64(names.count) : 2),
      hint: "eggctl list", cause: .noSuchAlarm(numbers: numbers, ids: ids))
  }

  /// Reading stopped at `offset`.
  static func unreadable(_ expression: String, at offset: Int, reason: String, readings: [String]) -> Failure
  {
    Failure(
      .usage, tr("cannot read '\(expression.visible)' as a time: \(tr(received: reason).visible)"),
      excerpt: Excerpt.caret(under: offset, in: expression),
      hint: Self.question(readings)
        ?? tr("6m30s, 07:30, tomorrow 07:30, 2026-12-24 18:00; more: eggctl help times"),
      cause: .invalidExpression(
        expression: expression, offset: Int64(offset), reason: reason, nearest: readings.first,
        readings: readings.isEmpty ? nil : readings))
  }

  /// `did you mean 'tomorrow 07:00' or 'tomorrow 19:00'?`; nil without readings.
  static func question(_ readings: [String]) -> String? {
    guard let last = readings.last else { return nil }
    guard readings.count > 1 else { return tr("did you mean \(last.visible)?") }
    let others = readings.dropLast().map { "'\($0.visible)'" }.joined(separator: ", ")
    return tr("did you mean \(others) or '\(last.visible)'?")
  }

  /// `characters` are grapheme clusters.
  static func labelTooLong(_ characters: Int64, limit: Int64) -> Failure {
    Failure(
      .usage, tr("the label has \(characters) characters; the limit is \(limit)"),
      cause: .labelTooLong(characters: characters, limit: limit))
  }

  /// The wire's `summary` is called `--title` here.
  static func invalidText(_ field: String, limit: Int64?) -> Failure {
    // The names of options are those of the fields in `show`.
    let name = tr(received: field == "summary" ? "title" : field).visible
    let cause = ScheduleError.invalidText(field: field, limit: limit)
    guard let limit else {
      return Failure(.usage, tr("the \(name) contains control characters"), cause: cause)
    }
    // A text with few enough characters may still have too many bytes, for which there is another limit.
    let isOfCharacters = LimitedText(rawValue: field)?.limits.characters == Int(limit)
    return Failure(
      .usage,
      isOfCharacters
        ? tr("the \(name) is longer than \(limit) characters")
        : tr("the \(name) is longer than \(limit) bytes"), cause: cause)
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  var list: String {
    guard let last, count > 1 else { return first ?? "" }
    return tr("\(dropLast().joined(separator: ", ")) and \(last)")
  }
}
