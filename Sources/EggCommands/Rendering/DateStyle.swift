import EggProtocol
import EggTime

/// What config.toml says on one run's moments, found when it is first needed. A run that needs nothing does not ask eggd.
final class DateStyle {
  private let find: () -> DateFormat
  private let findDayAt: () -> TimeOfDay

  private(set) lazy var format = MomentFormat(find())
  /// Cells of a moment in each form of the list's column.
  private(set) lazy var widths = format.widths
  /// When days ring that are entered without a time of day.
  private(set) lazy var dayAt = findDayAt()

  init(dayAt: @escaping () -> TimeOfDay = { .usual }, _ find: @escaping () -> DateFormat) {
    self.find = find
    findDayAt = dayAt
  }
}

extension Surroundings {
  /// eggd's answer may come this late; without one, the defaults hold.
  static let settingPatience = Duration.milliseconds(500)

  func configuredDateFormat() -> DateFormat {
    configured("date-format").flatMap(DateFormat.init) ?? .dotted
  }

  func configuredDayAt() -> TimeOfDay {
    configured("day-at").flatMap { try? CivilText.timeOfDay($0) }.map(TimeOfDay.init) ?? .usual
  }

  /// The call has a connection of its own: another one may be busy with the pages that the moments are in.
  private func configured(_ key: String) -> String? {
    guard let path = try? socketPath(),
      let client = try? ScheduleClient(path: path, timeout: Self.settingPatience),
      let reply = try? client.call(ConfigCall(), timeout: Self.settingPatience)
    else { return nil }
    return reply.value(of: key)
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
