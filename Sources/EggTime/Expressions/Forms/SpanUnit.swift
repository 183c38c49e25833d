/// The units of systemd.time(7), in microseconds.
enum SpanUnit {
  static let second: Int64 = 1_000_000
  static let minute = 60 * second
  static let hour = 60 * minute
  static let day = 24 * hour
  static let week = 7 * day
  /// 30.44 days.
  static let month = 2_629_800 * second
  /// 365.25 days.
  static let year = 31_557_600 * second

  /// The units of canonical texts, largest first. Without months and years, which a bare span counts on the
  /// calendar.
  static let written: [(length: Int64, name: String)] = [
    (week, "w"), (day, "d"), (hour, "h"), (minute, "min"), (second, "s"),
    (1_000, "ms"), (1, "us"),
  ]

  /// The unit of a bare number after `unit`, or alone (nil); nil when it has none.
  static func behind(_ unit: Int64?) -> Int64? {
    switch unit {
    case nil, minute: second
    case hour: minute
    default: nil
    }
  }

  /// Words in any case; single letters as they are: `m` is minutes, `M` months.
  static func named(_ name: String) -> Int64? {
    switch name.utf8.count < 2 ? name : name.lowercased() {
    case "us", "usec", "\u{B5}s", "\u{3BC}s": 1
    case "ms", "msec": 1_000
    case "s", "sec", "secs", "second", "seconds": second
    case "m", "min", "mins", "minute", "minutes": minute
    case "h", "hr", "hrs", "hour", "hours": hour
    case "d", "day", "days": day
    case "w", "week", "weeks": week
    case "M", "month", "months": month
    case "y", "year", "years": year
    default: nil
    }
  }
}
