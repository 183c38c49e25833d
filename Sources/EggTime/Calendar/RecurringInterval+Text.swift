extension RecurringInterval: LosslessStringConvertible {
  /// The canonical form: the step, its days, the time of day, `from` and the start, then the zone.
  ///
  ///     1h 30min from 2026-11-24 12:20:00 UTC
  ///     3d 08:00:00 from 2026-11-25
  ///     2w Mon,Thu 07:30:00 from 2026-11-23
  ///     2month 15 09:00:00 from 2026-12-15 Europe/Paris
  ///     1month -1Fri 17:00:00 from 2026-11-24
  ///     1month -1workday 17:00:00 from 2026-11-30
  ///
  /// Negative days and weekday numbers count from the end of the month, as in RFC 5545.
  public var description: String {
    let step = Self.text(of: step)
    let (day, time) = (start.description.prefix(10), start.description.dropFirst(11))
    return isElapsed
      ? "\(step) from \(day) \(time) UTC"
      : "\(step) \(time) from \(day)" + (zoneName.map { " " + $0 } ?? "")
  }

  /// Accepts only what ``description`` writes; nil otherwise. Reads no file: the zone may not exist.
  public init?(_ text: String) {
    let halves = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let from = halves.firstIndex(of: "from") else { return nil }
    var step = halves[..<from].map(String.init)
    let start = halves[(from + 1)...].map(String.init)
    let interval: RecurringInterval?
    if let span = Self.span(of: step) {
      guard start.count == 3, start[2] == "UTC", let civil = CivilDateTime("\(start[0]) \(start[1])"),
        case .unique(let instant) = Zone.utc.resolve(civil)
      else { return nil }
      interval = RecurringInterval(every: span, from: instant)
    } else {
      guard let time = step.popLast(), let day = start.first, let civil = CivilDateTime("\(day) \(time)"),
        start.count <= 2, let step = Self.step(of: step)
      else { return nil }
      interval = RecurringInterval(step, from: civil, zoneName: start.count == 2 ? start[1] : nil)
    }
    guard let interval, interval.description == text else { return nil }
    self = interval
  }

  /// Hours and less.
  private static let spanUnits = SpanUnit.written.filter { $0.length < SpanUnit.day }

  private static func text(of step: Step) -> String {
    switch step {
    case .elapsed(let span): return SpanText.text(span, in: spanUnits)
    case .days(let count): return "\(count)d"
    case .weeks(let count, let days):
      let names = Weekday.allCases.filter(days.contains).map(\.shortName)
      return "\(count)w \(names.joined(separator: ","))"
    case .months(let count, .day(let day)): return "\(count)month \(day)"
    case .months(let count, .weekday(let weekday, let number)):
      return "\(count)month \(number)\(weekday.shortName)"
    case .months(let count, .workday(let number)): return "\(count)month \(number)workday"
    }
  }

  /// nil unless every word is a number with a unit of elapsed time.
  private static func span(of words: [String]) -> TimeSpan? {
    var span: Int64 = 0
    for word in words {
      let name = word.drop { $0.isASCII && $0.isNumber }
      guard let unit = spanUnits.first(where: { $0.name == name })?.length,
        let count = Int64(word.dropLast(name.count))
      else { return nil }
      let (length, tooLong) = count.multipliedReportingOverflow(by: unit)
      let (sum, overflow) = span.addingReportingOverflow(length)
      guard !tooLong, !overflow else { return nil }
      span = sum
    }
    return words.isEmpty ? nil : TimeSpan(microseconds: span)
  }

  private static func step(of words: [String]) -> Step? {
    guard let word = words.first else { return nil }
    let unit = word.drop { $0.isASCII && $0.isNumber }
    guard let count = Int(word.dropLast(unit.count)) else { return nil }
    switch (unit, words.count) {
    case ("d", 1): return .days(count)
    case ("w", 2):
      let days = words[1].split(separator: ",").map { name in
        Weekday.allCases.first { $0.shortName == name }
      }
      return .weeks(count, on: Set(days.compactMap(\.self)))
    case ("month", 2) where words[1].hasSuffix("workday"):
      return Int(words[1].dropLast(7)).map { .months(count, on: .workday($0)) }
    case ("month", 2):
      let weekday = Weekday.allCases.first { words[1].hasSuffix($0.shortName) }
      guard let number = Int(words[1].dropLast(weekday == nil ? 0 : 3)) else { return nil }
      return .months(count, on: weekday.map { .weekday($0, number) } ?? .day(number))
    default: return nil
    }
  }
}

extension Weekday {
  /// `Mon`.
  var shortName: String { String(title.prefix(3)) }
}
