extension RecurringTime {
  /// For people: `every Mon–Fri 07:30`, `every 2 weeks on Mon, Thu 07:30`, `the last Fri of every month
  /// 17:00`. Omits zero seconds and the start of an interval. An event too complex for words is `every` and
  /// its canonical form.
  public var words: String {
    switch self {
    case .event(let event): EventWords(event).text ?? "every \(event)"
    case .interval(let interval): interval.words
    }
  }
}

/// Shared by the words of events and of intervals.
enum TimeWords {
  /// `07:30`, `07:30:15`, `07:30:15.500000`.
  static func time(_ hour: Int, _ minute: Int, _ second: Int = 0, microsecond: Int = 0) -> String {
    var text = "\(Digits.padded(hour, to: 2)):\(Digits.padded(minute, to: 2))"
    if second != 0 || microsecond != 0 { text += ":" + Digits.padded(second, to: 2) }
    if microsecond != 0 { text += "." + Digits.padded(microsecond, to: 6) }
    return text
  }

  /// `Mon–Fri`, `Mon, Thu`: three or more in a row become a range.
  static func weekdays(_ days: [Weekday]) -> String {
    var parts: [String] = []
    var rest = days[...]
    while let first = rest.first {
      let run = rest.enumerated().prefix { $0.element.rawValue == first.rawValue + $0.offset }.count
      let last = rest[rest.startIndex + run - 1]
      if run >= 3 {
        parts.append("\(first.shortName)–\(last.shortName)")
      } else {
        parts += rest.prefix(run).map(\.shortName)
      }
      rest = rest.dropFirst(run)
    }
    return parts.joined(separator: ", ")
  }

  /// `first` to `fifth`, `last`, `second last` to `fifth last`.
  static func ordinal(_ number: Int) -> String {
    let names = ["first", "second", "third", "fourth", "fifth"]
    let name = names[min(abs(number), names.count) - 1]
    return number > 0 ? name : number == -1 ? "last" : "\(name) last"
  }

  /// `the 15th`, `the last day`, `the 3rd last day`.
  static func day(_ day: Int) -> String {
    if day == -1 { return "the last day" }
    let ending =
      switch (abs(day), abs(day) % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "the \(abs(day))\(ending)" + (day < 0 ? " last day" : "")
  }

  static func month(_ month: Int) -> String {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return names[month - 1]
  }
}

extension RecurringInterval {
  /// See ``RecurringTime/words``.
  var words: String {
    guard case .civil(let start) = start else {
      guard case .elapsed(let span) = step else { return "" }
      return "every \(Self.words(of: span))"
    }
    let time = TimeWords.time(start.hour, start.minute, start.second, microsecond: start.microsecond)
    return "\(days(from: start)) \(time)" + (zoneName.map { " " + $0 } ?? "")
  }

  private func days(from start: CivilDateTime) -> String {
    func every(_ count: Int, _ unit: String) -> String {
      count == 1 ? "every \(unit)" : "every \(count) \(unit)s"
    }
    switch step {
    case .elapsed: return ""
    case .days(let count): return every(count, "day")
    case .weeks(let count, let days):
      let names = TimeWords.weekdays(Weekday.allCases.filter(days.contains))
      return count == 1 ? "every \(names)" : "\(every(count, "week")) on \(names)"
    case .months(let count, .day(let day)) where count % 12 == 0 && day > 0:
      return "\(every(count / 12, "year")) on \(day) \(TimeWords.month(start.month))"
    case .months(let count, .day(let day)): return "\(every(count, "month")) on \(TimeWords.day(day))"
    case .months(let count, .weekday(let weekday, let number)):
      let day = "the \(TimeWords.ordinal(number)) \(weekday.shortName)"
      if count == 1 { return "\(day) of every month" }
      guard count % 12 == 0 else { return "\(every(count, "month")) on \(day)" }
      return "\(every(count / 12, "year")) on \(day) of \(TimeWords.month(start.month))"
    }
  }

  /// `20 min`, `1 h 30 min`, `hour`: every unit that is not zero.
  private static func words(of span: TimeSpan) -> String {
    switch span {
    case .seconds(1): return "second"
    case .seconds(60): return "minute"
    case .seconds(3_600): return "hour"
    default:
      let units: [(Int64, String)] = [
        (3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"), (1_000, "ms"), (1, "µs"),
      ]
      var rest = span.microseconds
      var parts: [String] = []
      for (length, name) in units where rest >= length {
        parts.append("\(rest / length) \(name)")
        rest %= length
      }
      return parts.joined(separator: " ")
    }
  }
}
