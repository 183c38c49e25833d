import Gettext

/// Why a rule is refused: one sentence in lower case.
struct RuleProblem: Error, Equatable {
  var message: String

  init(_ message: String) { self.message = message }
}

/// The value of an RRULE: RFC 5545 §3.3.10.
struct RecurrenceRule: Equatable {
  /// FREQ, shortest first.
  enum Frequency: String, CaseIterable, Comparable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    static func < (a: Frequency, b: Frequency) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
  }

  /// One day of BYDAY. Ordinal 0 means every such day.
  struct Day: Hashable {
    var ordinal: Int
    /// 0 is Monday.
    var weekday: Int
  }

  var frequency: Frequency
  var interval = 1
  var count: Int64?
  /// UNTIL as written.
  var until: String?
  var seconds: Set<Int>?
  var minutes: Set<Int>?
  var hours: Set<Int>?
  var days: [Day]?
  /// BYMONTHDAY; negative days count from the end of the month.
  var monthDays: Set<Int>?
  var months: Set<Int>?
  /// BYSETPOS.
  var places: Set<Int>?
  /// WKST; 0 is Monday.
  var firstWeekday = 0

  static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// Throws for text that is no rule, and for parts that no calendar event has.
  init(_ text: String) throws(RuleProblem) {
    var parts: [(key: String, value: String)] = []
    for part in text.uppercased().split(separator: ";") {
      guard let mark = part.firstIndex(of: "=") else { throw Self.unreadable(part) }
      parts.append((String(part[..<mark]), String(part[part.index(after: mark)...])))
    }
    guard let name = parts.first(where: { $0.key == "FREQ" })?.value else {
      throw RuleProblem(tr("its RRULE has no FREQ"))
    }
    guard let frequency = Frequency(rawValue: name.lowercased()) else {
      throw Self.unreadable("FREQ=\(name)")
    }
    self.frequency = frequency
    for part in parts { try read(part.key, part.value) }
    if count != nil, until != nil { throw RuleProblem(tr("its RRULE has both COUNT and UNTIL")) }
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
    case "UNTIL": until = value
    case "BYSECOND": seconds = try list(0...59)
    case "BYMINUTE": minutes = try list(0...59)
    case "BYHOUR": hours = try list(0...23)
    case "BYMONTHDAY": monthDays = try list(-31...31)
    case "BYMONTH": months = try list(1...12)
    case "BYSETPOS": places = try list(-366...366)
    case "BYDAY":
      days = try value.split(separator: ",").map { item throws(RuleProblem) in try Self.day(item) }
    case "BYWEEKNO": throw RuleProblem(tr("alarms cannot recur by week of the year (BYWEEKNO)"))
    case "BYYEARDAY": throw RuleProblem(tr("alarms cannot recur by day of the year (BYYEARDAY)"))
    default: throw RuleProblem(tr("its RRULE has the unknown part '\(key.visible)'"))
    }
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

  private static func unreadable(_ part: some StringProtocol) -> RuleProblem {
    RuleProblem(tr("its RRULE is not understood at '\(part.prefix(60).visible)'"))
  }
}
