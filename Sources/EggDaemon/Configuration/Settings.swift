import Alarms
import EggProtocol
import EggTime
import Ringing

/// What config.toml and the command line can set.
package struct Settings: Hashable, Sendable {
  /// The usual length first; never empty.
  package var snooze = [SnoozeLength.usual]
  /// What a ring says of an alarm without a title or body of its own.
  package var words = RingWords.standard
  package var heard = SoundSettings()
  /// Of new alarms that name none.
  package var category = Category.other
  /// Of new alarms that name none. There may be no such group; they are then made without.
  package var group: String?
  /// Of new alarms that say nothing else: whether they repeat, how long they wait for an answer, and whether the machine
  /// wakes for them.
  package var manner = Manner()
  /// Of new alarms that do not say what happens if they cannot ring on time.
  package var ifMissed = MissedPolicy.ring
  /// When days ring that are entered without a time of day.
  package var dayAt = TimeOfDay.usual
  package var dateFormat = DateFormat.dotted
  /// How long one-shots stay that are over and answered; nil for ever.
  package var keepOver: TimeSpan?
  /// What the table `timers` says, in the order of the file.
  package var timers: [TimerSetting] = []
  /// What is set, and where. The other keys have their defaults.
  package var places: [SettingKey: Place] = [:]

  package enum Place: Hashable, Sendable {
    /// The line of config.toml, from 1.
    case file(line: Int)
    case commandLine
  }

  package var usualSnooze: SnoozeLength { snooze.first ?? .usual }

  /// The value as config.toml writes it; nil for none.
  package func text(of key: SettingKey) -> String? {
    switch key {
    case .snooze: snooze.map(\.text).joined(separator: ", ")
    case .title: words.title
    case .body: words.body
    case .sound: heard.usual.text
    case .soundFor: heard.lasting == .zero ? "0" : SpanText.canonical(heard.lasting)
    case .fadeIn: heard.fadesIn ? "true" : "false"
    case .category: category.rawValue
    case .group: group
    case .insist: manner.insist.map(SpanText.canonical) ?? "off"
    case .unansweredAfter: manner.unansweredAfter.map(SpanText.canonical) ?? "off"
    case .wake: manner.wake == true ? "true" : "false"
    case .ifMissed:
      switch ifMissed {
      case .ring: "ring"
      case .record: "record"
      case .ringWithin: nil
      }
    case .ringWithin:
      if case .ringWithin(let span) = ifMissed { SpanText.canonical(span) } else { nil }
    case .dayAt: dayAt.text
    case .dateFormat: dateFormat.rawValue
    case .keepOver: keepOver.map(SpanText.canonical) ?? "off"
    }
  }
}

/// One text of a timer, `[timers]` in config.toml.
package struct TimerSetting: Hashable, Sendable {
  /// The timer, then what of it; no field where the timer is a time alone.
  var path: [String]
  var value: String
  var line: Int
}

/// The keys of config.toml. Each is named as the option of eggctl or eggd that says the same.
package enum SettingKey: String, CaseIterable, Sendable {
  case snooze
  case title
  case body
  case sound
  case soundFor = "sound-for"
  case fadeIn = "fade-in"
  case category
  case group
  case insist
  case unansweredAfter = "unanswered-after"
  case wake
  case ifMissed = "if-missed"
  case ringWithin = "ring-within"
  case dayAt = "day-at"
  case dateFormat = "date-format"
  case keepOver = "keep-over"
}

/// What holds, and why config.toml does not where it has a mistake.
package struct ConfigurationState: Sendable {
  /// The path of config.toml; nil where there is no place for it.
  package var file: String?
  package var settings = Settings()
  package var mistake: ConfigurationMistake?

  package init() {}
}

extension ConfigReply {
  init(_ state: ConfigurationState) {
    self.init(
      file: state.file,
      settings: SettingKey.allCases.map { WireSetting($0, in: state.settings) }
        + state.settings.timers.map {
          WireSetting(
            key: (["timers"] + $0.path).joined(separator: "."), value: $0.value, source: .file,
            line: Int64($0.line))
        },
      mistake: state.mistake)
  }
}

extension WireSetting {
  fileprivate init(_ key: SettingKey, in settings: Settings) {
    let (source, line): (SettingSource, Int64?) =
      switch settings.places[key] {
      case .file(let line): (.file, Int64(line))
      case .commandLine: (.commandLine, nil)
      case nil: (.default, nil)
      }
    self.init(key: key.rawValue, value: settings.text(of: key), source: source, line: line)
    if key == .snooze, settings.snooze.count > 1 { values = settings.snooze.map(\.text) }
  }
}
