/// The value of an RRULE: RFC 5545 §3.3.10.
public struct RecurrenceRule: Hashable, Sendable {
  /// FREQ, shortest first.
  public enum Frequency: String, CaseIterable, Comparable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    public static func < (a: Frequency, b: Frequency) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }

    public var text: String { "FREQ=\(rawValue.uppercased())" }
  }

  /// One day of BYDAY. Ordinal 0 means every such day.
  public struct Day: Hashable, Sendable {
    public var ordinal: Int
    /// 0 is Monday.
    public var weekday: Int

    public init(ordinal: Int, weekday: Int) { (self.ordinal, self.weekday) = (ordinal, weekday) }
  }

  public var frequency: Frequency
  public internal(set) var interval = 1
  public internal(set) var count: Int64?
  /// A date means the whole day.
  public internal(set) var until: BasicDateTime?
  public internal(set) var seconds: Set<Int>?
  public internal(set) var minutes: Set<Int>?
  public internal(set) var hours: Set<Int>?
  public internal(set) var days: [Day]?
  /// BYMONTHDAY; negative days count from the end of the month.
  public internal(set) var monthDays: Set<Int>?
  /// BYYEARDAY; negative days count from the end of the year.
  public internal(set) var yearDays: Set<Int>?
  /// BYWEEKNO; negative weeks count from the end of the year.
  public internal(set) var weeks: Set<Int>?
  public internal(set) var months: Set<Int>?
  /// BYSETPOS.
  public internal(set) var places: Set<Int>?
  /// WKST; 0 is Monday.
  public internal(set) var firstWeekday = 0

  public static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// At these times of each day, or of these weekdays (bit 0 is Monday; 0 for all), or of these days of the month, if there
  /// are any: then all are at the same minute.
  init(at times: [(hour: Int, minute: Int)], weekdays: UInt8, monthDays: Set<Int> = []) {
    frequency = monthDays.isEmpty ? .daily : .monthly
    self.monthDays = monthDays.isEmpty ? nil : monthDays
    let (hours, minutes) = (Set(times.map(\.hour)), Set(times.map(\.minute)))
    self.hours = hours
    self.minutes = minutes
    if weekdays != 0 {
      days = (0..<7).filter { weekdays >> $0 & 1 != 0 }.map { Day(ordinal: 0, weekday: $0) }
    }
    // BYSETPOS picks them from all hours with all minutes.
    let all = hours.sorted().flatMap { hour in minutes.sorted().map { hour * 60 + $0 } }
    let named = Set(times.map { $0.hour * 60 + $0.minute })
    if named.count < all.count { places = Set(all.indices.filter { named.contains(all[$0]) }.map { $0 + 1 }) }
  }

  /// Throws for text that is no rule, and for what RFC 5545 does not allow.
  public init(_ text: some StringProtocol) throws(RuleProblem) {
    var parts: [(key: String, value: String)] = []
    for part in text.uppercased().split(separator: ";") {
      guard let mark = part.firstIndex(of: "=") else { throw Self.unreadable(part) }
      parts.append((String(part[..<mark]), String(part[part.index(after: mark)...])))
    }
    guard let name = parts.first(where: { $0.key == "FREQ" })?.value else { throw .noFrequency }
    guard let frequency = Frequency(rawValue: name.lowercased()) else {
      throw Self.unreadable("FREQ=\(name)")
    }
    self.frequency = frequency
    for part in parts { try read(part.key, part.value) }
    try check()
  }

  private mutating func read(_ key: String, _ value: String) throws(RuleProblem) {
    func list(_ range: ClosedRange<Int>) throws(RuleProblem) -> Set<Int> {
      var list: Set<Int> = []
      for item in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Int(item), range.contains(number), number != 0 || range.lowerBound == 0 else {
          throw Self.unreadable("\(key)=\(value)")
        }
        list.insert(number)
      }
      return list
    }
    switch key {
    case "FREQ": break
    case "WKST":
      guard let day = Self.weekdays.firstIndex(of: value) else { throw Self.unreadable("WKST=\(value)") }
      firstWeekday = day
    case "INTERVAL":
      guard let number = Int(value), (1...1_000_000).contains(number) else {
        throw Self.unreadable("INTERVAL=\(value)")
      }
      interval = number
    case "COUNT":
      guard let number = Int64(value), number > 0 else { throw Self.unreadable("COUNT=\(value)") }
      count = number
    case "UNTIL":
      guard let end = BasicDateTime(value) else { throw Self.unreadable("UNTIL=\(value)") }
      until = end
    // Clocks here have no leap second.
    case "BYSECOND": seconds = Set(try list(0...60).map { min($0, 59) })
    case "BYMINUTE": minutes = try list(0...59)
    case "BYHOUR": hours = try list(0...23)
    case "BYMONTHDAY": monthDays = try list(-31...31)
    case "BYYEARDAY": yearDays = try list(-366...366)
    case "BYWEEKNO": weeks = try list(-53...53)
    case "BYMONTH": months = try list(1...12)
    case "BYSETPOS": places = try list(-366...366)
    case "BYDAY":
      days = try value.split(separator: ",", omittingEmptySubsequences: false)
        .map { item throws(RuleProblem) in try Self.day(item) }
    default: throw .unknownPart(Self.quoted(key))
    }
  }

  /// What the table of RFC 5545 §3.3.10 and its notes rule out.
  private func check() throws(RuleProblem) {
    if count != nil, until != nil { throw .countAndUntil }
    if frequency == .weekly, monthDays != nil { throw .notAllowed(part: "BYMONTHDAY", with: frequency) }
    if [.daily, .weekly, .monthly].contains(frequency), yearDays != nil {
      throw .notAllowed(part: "BYYEARDAY", with: frequency)
    }
    if frequency != .yearly, weeks != nil { throw .notAllowed(part: "BYWEEKNO", with: frequency) }
    guard let days, days.contains(where: { $0.ordinal != 0 }) else { return }
    if frequency < .monthly { throw .numberedDays(with: frequency.text) }
    if weeks != nil { throw .numberedDays(with: "BYWEEKNO") }
  }

  /// `2TU`, `-1FR`, `MO`.
  private static func day(_ text: Substring) throws(RuleProblem) -> Day {
    let ordinal = text.dropLast(2)
    guard let weekday = weekdays.firstIndex(of: String(text.suffix(2))),
      let number = ordinal.isEmpty ? 0 : Int(ordinal), (-53...53).contains(number),
      ordinal.isEmpty || number != 0
    else { throw unreadable("BYDAY=\(text)") }
    return Day(ordinal: number, weekday: weekday)
  }

  static func unreadable(_ part: some StringProtocol) -> RuleProblem { .unreadable(quoted(part)) }

  /// Short, and without control characters.
  static func quoted(_ text: some StringProtocol) -> String {
    text.prefix(60).unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }
}

extension RecurrenceRule {
  /// The step of an interval with the same words; nil if none has them. Where weeks do not begin on Monday, the days of a
  /// weekly one may lie otherwise.
  public func step(from start: CivilDateTime) -> RecurringInterval.Step? {
    guard [seconds, minutes, hours, months, yearDays, weeks].allSatisfy({ $0 == nil }) else { return nil }
    if let places {
      let workdays = (0..<5).map { Day(ordinal: 0, weekday: $0) }
      guard frequency == .monthly, monthDays == nil, days == workdays, places.count == 1,
        let number = places.first, (1...23).contains(abs(number))
      else { return nil }
      return .months(interval, on: .workday(number))
    }
    switch (frequency, monthDays?.count, days?.count) {
    case (.secondly, nil, nil): return .elapsed(.seconds(Int64(interval)))
    case (.minutely, nil, nil): return .elapsed(.seconds(Int64(interval) * 60))
    case (.hourly, nil, nil): return .elapsed(.seconds(Int64(interval) * 3_600))
    case (.daily, nil, nil): return .days(interval)
    case (.weekly, nil, _):
      let named = days?.map(\.weekday) ?? [start.weekday.rawValue]
      return .weeks(interval, on: Set(named.map { Weekday.allCases[$0] }))
    case (.monthly, nil, nil): return .months(interval, on: .day(start.day))
    case (.monthly, 1, nil): return monthDays?.first.map { .months(interval, on: .day($0)) }
    case (.monthly, nil, 1):
      guard let day = days?.first, (1...5).contains(abs(day.ordinal)) else { return nil }
      return .months(interval, on: .weekday(Weekday.allCases[day.weekday], day.ordinal))
    case (.yearly, nil, nil): return .months(12 * interval, on: .day(start.day))
    default: return nil
    }
  }
}

extension RecurrenceRule: CustomStringConvertible {
  /// The canonical form, which reads back as the same rule: lists ascend, and what is the default is left out.
  public var description: String {
    var text = frequency.text
    if let until { text += ";UNTIL=\(until)" }
    if let count { text += ";COUNT=\(count)" }
    if interval > 1 { text += ";INTERVAL=\(interval)" }
    let lists = [
      ("BYSECOND", seconds), ("BYMINUTE", minutes), ("BYHOUR", hours), ("BYMONTHDAY", monthDays),
      ("BYYEARDAY", yearDays), ("BYWEEKNO", weeks), ("BYMONTH", months), ("BYSETPOS", places),
    ]
    for (name, values) in lists {
      guard let values else { continue }
      text += ";\(name)=" + values.sorted().map(String.init).joined(separator: ",")
    }
    if let days {
      let names = days.map { ($0.ordinal == 0 ? "" : String($0.ordinal)) + Self.weekdays[$0.weekday] }
      text += ";BYDAY=" + names.joined(separator: ",")
    }
    if firstWeekday != 0 { text += ";WKST=\(Self.weekdays[firstWeekday])" }
    return text
  }
}
