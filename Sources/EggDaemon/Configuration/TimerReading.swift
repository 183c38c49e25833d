import Alarms
import EggProtocol
import EggTime

/// `[timers]`: times with names of their own, which eggctl takes for the whole of what they stand for.
extension SettingsReader {
  /// nil for a header. Throws for what is no timer.
  func timer(_ statement: TOMLText.Statement) throws(ConfigurationMistake) -> TimerSetting? {
    let path = Array(statement.path.dropFirst())
    guard let name = path.first else {
      guard statement.value == .table else { throw mistake(statement, "is a table: [timers]") }
      return nil
    }
    try check(name, statement)
    if path.count == 1, statement.value == .table { return nil }
    let field = path.count > 1 ? TimerField(rawValue: path[1]) : .time
    guard let field, path.count <= 2 else {
      throw mistake(
        statement,
        "is an unknown key; the keys are \(TimerField.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard case .text(let value) = statement.value else { throw mistake(statement, "takes a text in quotes") }
    guard field.accepts(value) else {
      throw mistake(statement, "takes \(field.wanted), not '\(value.visible)'")
    }
    return TimerSetting(path: path, value: value, line: statement.place.line)
  }

  private func check(_ name: String, _ statement: TOMLText.Statement) throws(ConfigurationMistake) {
    let isWord = !name.isEmpty && name.visible == name && !name.hasPrefix("-") && name.utf8.count <= 60
    guard isWord, !name.contains(where: { $0.isWhitespace || $0 == "." }) else {
      throw mistake(statement, "is no name of a timer: that is one word, without dots")
    }
    // Such a name would mean the time wherever it is typed.
    guard !TimerField.isTime(name) else {
      throw mistake(statement, "is no name of a timer: it reads as a time")
    }
  }

  /// Throws if a timer has no time.
  func checkTimes(
    of timers: [TimerSetting], _ statements: [TOMLText.Statement]
  ) throws(ConfigurationMistake) {
    let timed = Set(timers.filter { $0.path.count == 1 || $0.path[1] == "time" }.map { $0.path[0] })
    for statement in statements where statement.path.first == "timers" && statement.path.count == 2 {
      guard timed.contains(statement.path[1]) else { throw mistake(statement, "needs a time") }
    }
  }

  private func mistake(_ statement: TOMLText.Statement, _ reason: String) -> ConfigurationMistake {
    mistake(statement.place, key: statement.path.joined(separator: ".").visible, reason)
  }
}

/// The texts of a timer, named as the options of `eggctl schedule`.
enum TimerField: String, CaseIterable {
  case time, label, sound, category, insist, run

  fileprivate func accepts(_ text: String) -> Bool {
    switch self {
    case .time: Self.isTime(text)
    case .label: LimitedText.label.problem(in: text) == nil
    case .sound: AlarmSound(text) != nil
    case .category: Category(rawValue: text) != nil
    case .insist: text == "off" || Configuration.readSpan(text).map(Limits.insist.contains) ?? false
    case .run: LimitedText.run.problem(in: text) == nil && AlarmCommand(text) != nil
    }
  }

  fileprivate var wanted: String {
    switch self {
    case .time: "a time such as 4m or 07:30"
    case .label: "a label of at most \(Limits.labelCharacters) characters"
    case .sound: "a name of the sound theme, a file's absolute path or none"
    case .category: "soft, medium, hard or other"
    case .insist: "a span from 10s to 1h, or off"
    case .run: "a program and its arguments"
    }
  }

  fileprivate static func isTime(_ text: String) -> Bool {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc)
    return (try? TimeExpression.read(text, in: context)) != nil
  }
}
