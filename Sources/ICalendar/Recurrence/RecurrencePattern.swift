import EggTime

/// The fields of a calendar event as sets of values; nil means any value.
struct RecurrencePattern {
  /// The first year, and the step in years.
  var years: (first: Int, step: Int)?
  var months: Set<Int>?
  var days: Set<Int>?
  /// Whether days count from the end of the month, whose last day is 1.
  var daysFromEnd = false
  /// 0 is Monday.
  var weekdays: Set<Int>?
  var hours: Set<Int>?
  var minutes: Set<Int>?
  var seconds: Set<Int>?

  /// Intersects a field with a set.
  static func limit(_ place: inout Set<Int>?, to values: Set<Int>?) {
    guard let values else { return }
    place = place.map { $0.intersection(values) } ?? values
  }

  /// The event, without a zone; nil if it never elapses.
  var event: CalendarEvent? {
    var date = years.map { $0.step == 0 ? "\($0.first)" : "\($0.first)/\($0.step)" } ?? "*"
    date += "-" + Self.list(months, through: 12) + (daysFromEnd ? "~" : "-")
    date += Self.list(days, through: daysFromEnd ? nil : 31)
    let time = [
      Self.list(hours, through: 23), Self.list(minutes, through: 59), Self.list(seconds, through: 59),
    ]
    let names = weekdays.map { days in
      days.sorted().map { Weekday.allCases[$0].name }.joined(separator: ",") + " "
    }
    let lists = [months, days, weekdays, hours, minutes, seconds]
    guard !lists.contains([]) else { return nil }
    return CalendarEvent((names ?? "") + date + " " + time.joined(separator: ":"))
  }

  /// `*`, `09..17`, `00/15`, `08,20`. Three or more consecutive values become a range.
  private static func list(_ values: Set<Int>?, through last: Int?) -> String {
    guard let values else { return "*" }
    let sorted = values.sorted()
    if let last, sorted.count > 2 {
      let step = sorted[1] - sorted[0]
      let isEven = zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 == step }
      if step > 1, isEven, sorted[sorted.count - 1] + step > last { return "\(sorted[0])/\(step)" }
    }
    return sorted.named(through: "..", String.init).joined(separator: ",")
  }
}
