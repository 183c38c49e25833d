import EggTime

/// The fields of a calendar event as sets of values; nil means any value.
struct RecurrencePattern: Equatable {
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
    var items: [String] = []
    var rest = sorted[...]
    while let first = rest.first {
      let run = zip(rest, first...).prefix { $0 == $1 }.count
      items += run > 2 ? ["\(first)..\(first + run - 1)"] : rest.prefix(run).map(String.init)
      rest = rest.dropFirst(run)
    }
    return items.joined(separator: ",")
  }

  static func == (a: RecurrencePattern, b: RecurrencePattern) -> Bool { a.event == b.event }
}

extension RecurrencePattern {
  /// The pattern shifted by seconds on the clock; nil if no calendar event expresses that.
  func moved(by distance: Int) -> RecurrencePattern? {
    guard distance != 0 else { return self }
    guard let seconds else { return nil }
    var moved = self
    let hours = hours ?? Set(0...23)
    let minutes = minutes ?? Set(0...59)
    var times: Set<Int> = []
    var turns: Set<Int> = []
    for hour in hours {
      for minute in minutes {
        for second in seconds {
          let time = CivilDateTime(secondsOnClock: hour * 3_600 + minute * 60 + second + distance)
          turns.insert(time.dayNumber)
          times.insert(time.hour * 3_600 + time.minute * 60 + time.second)
        }
      }
    }
    let found = (Set(times.map { $0 / 3_600 }), Set(times.map { $0 / 60 % 60 }), Set(times.map { $0 % 60 }))
    // A calendar event combines every hour with every minute and second.
    guard found.0.count * found.1.count * found.2.count == times.count else { return nil }
    moved.hours = found.0.count == 24 ? nil : found.0
    moved.minutes = found.1.count == 60 ? nil : found.1
    moved.seconds = found.2
    if years == nil, months == nil, days == nil, weekdays == nil { return moved }
    guard turns.count == 1, let turn = turns.first else { return nil }
    return moved.moved(days: turn)
  }

  private func moved(days turn: Int) -> RecurrencePattern? {
    guard turn != 0 else { return self }
    var moved = self
    moved.weekdays = weekdays.map { Set($0.map { (($0 + turn) % 7 + 7) % 7 }) }
    guard let days else { return years == nil && months == nil ? moved : nil }
    let to = Set(days.map { daysFromEnd ? $0 - turn : $0 + turn })
    guard let first = to.min(), let last = to.max(), last - first < 28 else { return nil }
    if first > 0, last <= (daysFromEnd ? 28 : shortestMonth), days.allSatisfy({ $0 <= shortestMonth }) {
      moved.days = to
      return moved
    }
    // All days fall into a neighbouring month, and count from its other end.
    guard last < 1, first > -28, days.allSatisfy({ $0 <= 28 }) else { return nil }
    let isLater = daysFromEnd
    guard years == nil || months.map({ !$0.contains(isLater ? 12 : 1) }) ?? false else { return nil }
    moved.days = Set(to.map { 1 - $0 })
    moved.daysFromEnd.toggle()
    moved.months = months.map { Set($0.map { ($0 + (isLater ? 0 : 10)) % 12 + 1 }) }
    return moved
  }

  private var shortestMonth: Int { (months ?? [2]).map { CivilDateTime.days(in: $0, of: 2027) }.min() ?? 28 }
}
