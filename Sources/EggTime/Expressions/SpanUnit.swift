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

  /// What a canonical text is made of, largest first. Months and years are the calendar's in a bare span.
  static let written: [(Int64, String)] = [
    (week, "w"), (day, "d"), (hour, "h"), (minute, "min"), (second, "s"),
    (1_000, "ms"), (1, "us"),
  ]

  /// The unit of a number without one behind a unit, or alone (nil); nil where it has none.
  static func behind(_ unit: Int64?) -> Int64? {
    switch unit {
    case nil, minute: second
    case hour: minute
    default: nil
    }
  }

  /// The unit of that name: words in any case, letters alone in their own, as `m` are minutes and `M` months. nil for any
  /// other word.
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
