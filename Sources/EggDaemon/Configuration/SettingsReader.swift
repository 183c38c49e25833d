import Alarms
import EggProtocol
import EggTime
import Ringing

/// Reads config.toml: every value, or the first mistake.
struct SettingsReader {
  let file: String
  private let document: TOMLText

  /// `file` is named in mistakes.
  static func read(_ bytes: [UInt8], file: String) throws(ConfigurationMistake) -> Settings {
    try SettingsReader(file: file, document: TOMLText(try text(bytes, file: file))).settings()
  }

  private static func text(_ bytes: [UInt8], file: String) throws(ConfigurationMistake) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) { return text }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.firstIndex { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }
    throw ConfigurationMistake(file: file, line: line.map { $0 + 1 }, reason: "the line is not UTF-8 text")
  }

  private func settings() throws(ConfigurationMistake) -> Settings {
    var settings = Settings()
    var (title, body) = (RingWords.standard.title, RingWords.standard.body)
    for statement in document.statements {
      if statement.path.first == "timers" {
        if let timer = try timer(statement) { settings.timers.append(timer) }
        continue
      }
      guard let name = statement.path.first, let key = SettingKey(rawValue: name) else {
        throw unknown(statement)
      }
      if statement.path.count > 1 || statement.value == .table || statement.value == .other {
        throw wrongKind(statement)
      }
      switch key {
      case .snooze: settings.snooze = try snoozes(statement)
      case .title: title = try text(statement, .summary)
      case .body: body = try text(statement, .body)
      case .sound:
        settings.heard.usual = try value(
          statement, "a name of the sound theme, a file's absolute path or none"
        ) {
          AlarmSound($0)
        }
      case .soundFor:
        let bounds = SoundSettings.bounds
        settings.heard.lasting =
          try span(statement, in: bounds, "from 1s to 10m, or 0 for once", unless: "0") ?? .zero
      case .fadeIn: settings.heard.fadesIn = try flag(statement)
      case .category: settings.category = try choice(statement, Category.allCases)
      case .group: settings.group = try text(statement, .group)
      case .insist:
        settings.manner.insist = try span(
          statement, in: Limits.insist, "from 10s to 1h, or off", unless: "off")
      case .unansweredAfter:
        let bounds = Limits.unansweredAfter
        settings.manner.unansweredAfter = try span(
          statement, in: bounds, "from 1s to 1d, or off", unless: "off")
      case .wake: settings.manner.wake = try flag(statement) ? true : nil
      case .ifMissed:
        settings.ifMissed = try value(statement, "ring or record") { ["ring": .ring, "record": .record][$0] }
      case .ringWithin:
        guard !document.statements.contains(where: { $0.path == [SettingKey.ifMissed.rawValue] }) else {
          throw mistake(statement, "and if-missed exclude each other")
        }
        let most = TimeSpan.seconds(366 * 86_400)
        settings.ifMissed = .ringWithin(
          try span(statement, in: TimeSpan(microseconds: 1)...most, "longer than zero"))
      case .dayAt:
        settings.dayAt = try value(statement, "a time of day such as 07:30") {
          (try? CivilText.timeOfDay($0)).map(TimeOfDay.init)
        }
      case .dateFormat: settings.dateFormat = try choice(statement, DateFormat.allCases)
      case .keepOver:
        let bounds = TimeSpan.seconds(86_400)...TimeSpan.seconds(3_660 * 86_400)
        settings.keepOver = try span(statement, in: bounds, "from 1d to 3660d, or off", unless: "off")
      }
      settings.places[key] = .file(line: statement.place.line)
    }
    if let mistake = document.mistake {
      throw self.mistake(mistake.place, key: nil, mistake.reason)
    }
    try checkTimes(of: settings.timers, document.statements)
    settings.words = RingWords(title: title, body: body)
    return settings
  }

  private func unknown(_ statement: TOMLText.Statement) -> ConfigurationMistake {
    let name = statement.path.first ?? ""
    let letters = Array(name.lowercased().utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 })
    let near = SettingKey.allCases.map {
      (key: $0, slips: Spelling.distance(letters, Array($0.rawValue.utf8)))
    }.min { $0.slips < $1.slips }
    let known = SettingKey.allCases.map(\.rawValue).joined(separator: ", ")
    let hint =
      near.flatMap { $0.slips <= 2 ? "did you mean \($0.key.rawValue)?" : nil } ?? "the keys are \(known)"
    return mistake(statement, "is an unknown key; \(hint)")
  }

  private func mistake(_ statement: TOMLText.Statement, _ reason: String) -> ConfigurationMistake {
    mistake(statement.place, key: statement.path.first?.visible, reason)
  }

  func mistake(_ place: TOMLText.Place?, key: String?, _ reason: String) -> ConfigurationMistake {
    ConfigurationMistake(file: file, line: place?.line, column: place?.column, key: key, reason: reason)
  }

  private func wrongKind(_ statement: TOMLText.Statement) -> ConfigurationMistake {
    let wanted =
      switch SettingKey(rawValue: statement.path[0]) {
      case .wake, .fadeIn: "true or false"
      case .snooze: "a text in quotes, or a list of them"
      default: "a text in quotes"
      }
    return mistake(statement, "takes \(wanted)")
  }
}

extension SettingsReader {
  private func flag(_ statement: TOMLText.Statement) throws(ConfigurationMistake) -> Bool {
    guard case .flag(let value) = statement.value else { throw wrongKind(statement) }
    return value
  }

  private func text(of statement: TOMLText.Statement) throws(ConfigurationMistake) -> String {
    guard case .text(let text) = statement.value else { throw wrongKind(statement) }
    return text
  }

  private func value<Value>(
    _ statement: TOMLText.Statement, _ wanted: String, _ read: (String) -> Value?
  ) throws(ConfigurationMistake) -> Value {
    let text = try text(of: statement)
    guard let value = read(text) else { throw mistake(statement, "takes \(wanted), not '\(text.visible)'") }
    return value
  }

  private func choice<Value: RawRepresentable<String>>(
    _ statement: TOMLText.Statement, _ values: [Value]
  ) throws(ConfigurationMistake) -> Value {
    let names = values.map(\.rawValue)
    let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    return try value(statement, list) { text in values.first { $0.rawValue == text } }
  }

  private func span(
    _ statement: TOMLText.Statement, in bounds: ClosedRange<TimeSpan>, _ words: String
  ) throws(ConfigurationMistake) -> TimeSpan {
    try value(statement, "a span \(words)") { text in
      Configuration.readSpan(text).flatMap { bounds.contains($0) ? $0 : nil }
    }
  }

  /// nil for the word that means none.
  private func span(
    _ statement: TOMLText.Statement, in bounds: ClosedRange<TimeSpan>, _ words: String, unless none: String
  ) throws(ConfigurationMistake) -> TimeSpan? {
    try text(of: statement) == none ? nil : span(statement, in: bounds, words)
  }

  /// Buttons that a bubble has for snoozes, at most.
  private static let mostSnoozes = 5

  private func snoozes(_ statement: TOMLText.Statement) throws(ConfigurationMistake) -> [SnoozeLength] {
    var lengths: [SnoozeLength] = []
    let texts = if case .texts(let list) = statement.value { list } else { [try text(of: statement)] }
    guard (1...Self.mostSnoozes).contains(texts.count) else {
      throw mistake(statement, "takes a list of 1 to \(Self.mostSnoozes) texts")
    }
    for text in texts {
      let length = SnoozeLength(text)
      var isAllowed = length != nil
      if case .span(let span) = length { isAllowed = Configuration.snoozeBounds.contains(span) }
      guard let length, isAllowed else {
        throw mistake(
          statement, "takes a span from 1s to 7d, or a time such as tomorrow 9:00, not '\(text.visible)'")
      }
      lengths.append(length)
    }
    return lengths
  }

  private func text(
    _ statement: TOMLText.Statement, _ field: LimitedText
  ) throws(ConfigurationMistake) -> String {
    let text = try text(of: statement)
    guard !text.isEmpty else { throw mistake(statement, "must not be empty") }
    switch field.problem(in: text) {
    case nil: return text
    case .characters(_, let limit): throw mistake(statement, "is longer than \(limit) characters")
    case .bytes(let limit): throw mistake(statement, "is longer than \(limit) bytes")
    case .control: throw mistake(statement, "contains control characters")
    }
  }
}
