import EggProtocol
import EggTime

/// The format of one run's moments, found when the first moment is shown. A run that shows none does not ask eggd.
final class DateStyle {
  private let find: () -> DateFormat

  private(set) lazy var format = MomentFormat(find())
  /// Cells of a moment in each form of the list's column.
  private(set) lazy var widths = format.widths

  init(_ find: @escaping () -> DateFormat) { self.find = find }
}

extension Surroundings {
  /// eggd's answer may come this late; without one, moments are shown as if it named no format.
  private static let dateFormatPatience = Duration.milliseconds(500)

  /// The format that eggd's configuration names. The call has a connection of its own: another one may be busy with the
  /// pages that the moments are in.
  func configuredDateFormat() -> DateFormat {
    guard let path = try? socketPath(),
      let client = try? ScheduleClient(path: path, timeout: Self.dateFormatPatience),
      let reply = try? client.call(ConfigCall(), timeout: Self.dateFormatPatience),
      let value = reply.value(of: "date-format")
    else { return .dotted }
    return DateFormat(rawValue: value) ?? .dotted
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
