import EggProtocol
import EggTime

/// What config.toml says on one run's moments. eggd is asked once: with the first call of a verb that shows moments, else
/// when one is shown, or a day is read without a time. A run that needs nothing does not ask.
final class DateStyle {
  /// The command line's, before config.toml's.
  var given: DateFormat?
  private let ask: (() -> ConfigReply?)?
  /// nil before eggd was asked; then nil inside where it did not tell.
  private var answer: ConfigReply??

  private(set) lazy var format = MomentFormat(given ?? configured("date-format", DateFormat.init) ?? .dotted)
  /// Cells of a moment in each form of the list's column.
  private(set) lazy var widths = format.widths
  /// When days ring that are entered without a time of day.
  private(set) lazy var dayAt =
    configured("day-at") { (try? CivilText.timeOfDay($0)).map(TimeOfDay.init) } ?? .usual

  /// Without `ask` the defaults hold.
  init(_ given: DateFormat? = nil, ask: (() -> ConfigReply?)? = nil) {
    self.given = given
    self.ask = ask
  }

  /// Whether eggd has to be asked before a moment can be shown.
  var isUnknown: Bool { ask != nil && given == nil && answer == nil }

  func know(_ reply: ConfigReply?) { answer = .some(reply) }

  private func configured<Value>(_ key: String, _ read: (String) -> Value?) -> Value? {
    if answer == nil { answer = .some(ask?()) }
    return answer??.value(of: key).flatMap(read)
  }
}

extension Surroundings {
  /// eggd's answer may come this late; without one, the defaults hold.
  static let settingPatience = Duration.milliseconds(500)

  /// The call has a connection of its own: another one may be busy with the pages that the moments are in.
  func configuration() -> ConfigReply? {
    guard let path = try? socketPath(),
      let client = try? ScheduleClient(path: path, timeout: Self.settingPatience)
    else { return nil }
    return try? client.call(ConfigCall(), timeout: Self.settingPatience)
  }
}

extension MomentFormat {
  /// Cells of the widest moment, then without year, then without seconds, see ``ListColumns/Due``.
  fileprivate var widths: [Int] {
    switch format {
    case .dotted: [22, 16, 13]
    case .iso: [25, 14, 11]
    case .locale: localeWidths
    }
  }

  /// Names of months and weekdays, and of the halves of the day, differ in width.
  private var localeWidths: [Int] {
    var widths = [0, 0, 0]
    for month in 1...12 {
      for day in 20...26 {
        for hour in [10, 22] {
          let civil = CivilDateTime(year: 2026, month: month, day: day, hour: hour, minute: 58, second: 58)
          let moment = Zone.utc.resolve(civil).instant
          let texts = [text(moment, in: .utc), short(civil, seconds: true), short(civil, seconds: false)]
          for (index, text) in texts.enumerated() { widths[index] = max(widths[index], text.displayWidth) }
        }
      }
    }
    return widths
  }
}
