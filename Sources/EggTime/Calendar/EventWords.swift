import Gettext

/// Describes simple calendar events in words.
enum EventWords {
  /// A place with more values is not spelled out.
  private static let most = 4

  /// nil for an event that is not simple.
  static func of(_ event: CalendarEvent, in wording: @escaping Wording) -> String? {
    let words = TimeWords(in: wording)
    let values = event.values
    guard let from = from(values, words), !values.hasFractions,
      let times = times(values, words), let days = days(values, words)
    else { return nil }
    let isEveryDay = values.months == nil && values.days == nil && values.weekdays == nil
    let zone = event.zoneName.map { " " + $0 } ?? ""
    return switch times {
    case .ofHour(let times) where isEveryDay: times + zone + from
    case .ofHour(let times): "\(days), \(times)\(zone)\(from)"
    case .ofDay(let times): "\(days) \(times)\(zone)\(from)"
    }
  }

  /// Years without an end, as birthdays have them; nil for others. For 29 February, leap years count as all.
  private static func from(_ values: CalendarEvent.Values, _ words: TimeWords) -> String? {
    guard let years = values.years else { return "" }
    let isLeapDay = values.months == [2] && values.days == [29] && !values.daysFromEnd
    guard let first = years.first else { return nil }
    let step = isLeapDay && first % 4 == 0 && !years.contains(first + 1) ? 4 : 1
    let all = stride(from: first, through: max(first, CalendarEvent.years.upperBound), by: step)
    guard years.elementsEqual(all) else { return nil }
    return words.wording(", from \(String(first))")
  }

  private enum Times {
    /// `07:30, 19:30`
    case ofDay(String)
    /// `every hour at :00`
    case ofHour(String)
  }

  private static func times(_ values: CalendarEvent.Values, _ words: TimeWords) -> Times? {
    let say = words.wording
    guard let seconds = values.seconds, seconds.count == 1, let second = seconds.first else { return nil }
    func minute(_ minute: Int) -> String {
      ":" + Digits.padded(minute, to: 2) + (second == 0 ? "" : ":" + Digits.padded(second, to: 2))
    }
    switch (values.hours, values.minutes) {
    case (nil, nil): return second == 0 ? .ofHour(say("every full minute")) : nil
    case (nil, let minutes?):
      if minutes.count <= most { return .ofHour(say("every hour at \(list(minutes.map(minute)))")) }
      guard let step = step(of: minutes, filling: 60) else { return nil }
      return .ofHour(say("every \(step) min (\(list(minutes.prefix(2).map(minute))), …)"))
    case (_?, nil): return nil
    case (let hours?, let minutes?):
      let times = hours.flatMap { hour in
        minutes.map { TimeOfDay(hour: hour, minute: $0, second: second).text }
      }
      if times.count <= most { return .ofDay(list(times)) }
      guard minutes.count == 1, let step = step(of: hours, filling: 24) else { return nil }
      return .ofHour(say("every \(step) hours (\(list(Array(times.prefix(2)))), …)"))
    }
  }

  /// The common distance of the values, also across the turn of the hour or day; nil when it varies.
  private static func step(of values: [Int], filling whole: Int) -> Int? {
    guard values.count > 1, whole % values.count == 0 else { return nil }
    let step = whole / values.count
    let isEven = zip(values, values.dropFirst()).allSatisfy { $1 - $0 == step }
    return isEven && step > 1 ? step : nil
  }

  private static func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }

  private static func days(_ values: CalendarEvent.Values, _ words: TimeWords) -> String? {
    let say = words.wording
    let sign = values.daysFromEnd ? -1 : 1
    switch (values.months, values.days, values.weekdays) {
    case (nil, nil, nil): return say("every day")
    case (nil, nil, let weekdays?): return words.every(weekdays)
    case (nil, let days?, nil):
      guard days.count <= most else { return nil }
      return say("every month on \(list(days.map { words.day(sign * $0) }))")
    case (nil, let days?, let weekdays?):
      return numbered(weekdays, days, sign, words).map { say("\($0) of every month") }
    case (let months?, let days?, nil):
      guard days.count == 1, let day = days.first, months.count <= most else { return nil }
      if sign > 0 { return say("every year on \(list(months.map { words.date(day, $0) }))") }
      return say("every year on \(words.day(-day)) of \(list(months.map(words.month)))")
    case (let months?, let days?, let weekdays?):
      guard months.count <= most, let day = numbered(weekdays, days, sign, words) else { return nil }
      return say("\(day) of every \(list(months.map(words.month)))")
    case (_?, nil, _): return nil
    }
  }

  /// `the last Fri`: one weekday within the nth seven days from the start or end of a month.
  private static func numbered(
    _ weekdays: [Weekday], _ days: [Int], _ sign: Int, _ words: TimeWords
  ) -> String? {
    guard weekdays.count == 1, let weekday = weekdays.first, let first = days.first, first % 7 == 1 else {
      return nil
    }
    let isSeven = days == Array(first..<first + 7)
    guard isSeven || (sign > 0 && days == [29, 30, 31]) else { return nil }
    return words.numbered(words.name(weekday), sign * (first / 7 + 1))
  }
}
