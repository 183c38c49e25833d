import EggTime

/// A VTIMEZONE (RFC 5545 §3.6.5) from ten years before now on, made from the machine's time zone data.
///
/// A change that returns every year becomes a rule; others stand alone. If future changes follow no such
/// rule, those of the next ten years are written.
struct ZoneObservances {
  private struct Change {
    /// The civil time just before the change.
    var civil: CivilDateTime
    var from: Int
    var to: Int
    var name: String
  }

  /// A change that returns every year.
  private struct Yearly {
    var like: Change
    var days: ClosedRange<Int>
    /// nil if it is a fixed date.
    var weekday: Weekday?

    func matches(_ change: Change) -> Bool {
      (change.civil.month, change.from, change.to, change.name) == (
        like.civil.month, like.from, like.to, like.name
      )
        && days.contains(change.civil.day) && weekday.map { change.civil.weekday == $0 } ?? true
        && change.civil.secondsOnClock % 86_400 == like.civil.secondsOnClock % 86_400
    }
  }

  private let zone: Zone
  private let year: Int
  private let before: (offset: Int, abbreviation: String, end: Instant?)
  private let changes: [Change]

  init(_ zone: Zone, now: Instant) {
    self.zone = zone
    year = Zone.utc.civil(at: now).year
    func newYear(_ year: Int) -> Instant {
      Zone.utc.resolve(CivilDateTime(year: year, month: 1, day: 1)).instant
    }
    var period = zone.period(at: newYear(year - 10))
    before = period
    var changes: [Change] = []
    // 28 years contain every combination of weekday and date, once only the rule at the end of the zone's
    // file applies.
    while let end = period.end, end < newYear(year + 50) {
      let next = zone.period(at: end)
      if next.offset != period.offset || next.abbreviation != period.abbreviation {
        let civil = CivilDateTime(secondsOnClock: Int(end.microseconds / 1_000_000) + period.offset)
        changes.append(Change(civil: civil, from: period.offset, to: next.offset, name: next.abbreviation))
      }
      period = next
    }
    self.changes = changes
  }

  func write(to content: inout ContentWriter) {
    content.line("BEGIN:VTIMEZONE")
    content.line("TZID", text: zone.identifier)
    content.line("X-LIC-LOCATION", text: zone.identifier)
    let start = Change(
      civil: CivilDateTime(year: 1970, month: 1, day: 1), from: before.offset, to: before.offset,
      name: before.abbreviation)
    write(start, rule: nil, to: &content)
    let rules = yearly() ?? []
    var starts: [Int: Yearly] = [:]
    var covered: Set<Int> = []
    for rule in rules {
      // The rule also covers earlier years, back to the first one without such a change.
      var next = year + 50
      var first: Int?
      for index in changes.indices.reversed() where rule.matches(changes[index]) {
        guard changes[index].civil.year == next - 1 else { break }
        next -= 1
        first = index
        covered.insert(index)
      }
      if let first { starts[first] = rule }
    }
    for index in changes.indices {
      if let rule = starts[index] {
        write(changes[index], rule: Self.text(rule), to: &content)
      } else if !covered.contains(index), !rules.isEmpty || changes[index].civil.year < year + 10 {
        write(changes[index], rule: nil, to: &content)
      }
    }
    content.line("END:VTIMEZONE")
  }

  /// The yearly rules of the years that only the rule at the end of the zone's file decides; nil if there are
  /// none.
  private func yearly() -> [Yearly]? {
    let years = Dictionary(grouping: changes.filter { $0.civil.year >= year + 20 }, by: \.civil.year)
    guard years.count == 30, let first = years[year + 20],
      years.values.allSatisfy({ $0.count == first.count })
    else { return nil }
    var rules: [Yearly] = []
    for (place, change) in first.enumerated() {
      let all = years.values.map { $0[place].civil }
      guard let least = all.map(\.day).min(), let most = all.map(\.day).max(), most - least < 7 else {
        return nil
      }
      let weekday = least == most ? nil : change.civil.weekday
      let rule = Yearly(like: change, days: least...most, weekday: weekday)
      guard years.values.allSatisfy({ rule.matches($0[place]) }) else { return nil }
      rules.append(rule)
    }
    return rules
  }

  private static func text(_ rule: Yearly) -> String {
    let (month, days) = (rule.like.civil.month, rule.days)
    let text = "FREQ=YEARLY;BYMONTH=\(month)"
    guard let weekday = rule.weekday else { return text + ";BYMONTHDAY=\(days.lowerBound)" }
    let name = RecurrenceRule.weekdays[weekday.rawValue]
    if days.count == 7, days.upperBound == CivilDateTime.days(in: month, of: 2027), month != 2 {
      return text + ";BYDAY=-1\(name)"
    }
    if days.count == 7, days.lowerBound % 7 == 1 {
      return text + ";BYDAY=\(days.lowerBound / 7 + 1)\(name)"
    }
    return text + ";BYMONTHDAY=\(days.map(String.init).joined(separator: ","));BYDAY=\(name)"
  }

  private func write(_ change: Change, rule: String?, to content: inout ContentWriter) {
    let kind = change.to > change.from ? "DAYLIGHT" : "STANDARD"
    content.line("BEGIN:\(kind)")
    content.line("DTSTART:\(BasicDateTime(change.civil))")
    content.line("TZOFFSETFROM:\(Self.offset(change.from))")
    content.line("TZOFFSETTO:\(Self.offset(change.to))")
    content.line("TZNAME:\(change.name)")
    if let rule { content.line("RRULE:\(rule)") }
    content.line("END:\(kind)")
  }

  /// `+0530`, or `-001515` with seconds.
  private static func offset(_ seconds: Int) -> String {
    let size = abs(seconds)
    let clock = TimeOfDay(hour: size / 3_600, minute: size / 60 % 60, second: size % 60)
    return (seconds < 0 ? "-" : "+") + clock.text.replacing(":", with: "")
  }
}
