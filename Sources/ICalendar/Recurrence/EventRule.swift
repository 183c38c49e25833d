import EggTime

/// A calendar event as the value of an RRULE, in the form that other calendars show best.
extension CalendarEvent.Values {
  /// The rule without UNTIL or COUNT for an entry that starts in that year, and the year in which the event
  /// ends. nil if no rule expresses the event.
  func rule(startingIn year: Int) -> (rule: String, lastYear: Int?)? {
    guard !hasFractions else { return nil }
    let days = dayParts
    let frequency =
      seconds == nil ? "SECONDLY" : minutes == nil ? "MINUTELY" : hours == nil ? "HOURLY" : nil
    var parts = ["FREQ=\(frequency ?? days.frequency)"]
    var lastYear: Int?
    if let years = self.years?.filter({ $0 >= year }) {
      guard years.first == year, let last = years.last else { return nil }
      let step = years.count > 1 ? years[1] - year : 1
      guard zip(years, years.dropFirst()).allSatisfy({ $1 - $0 == step }) else { return nil }
      if step > 1 {
        guard frequency == nil, days.frequency == "YEARLY" else { return nil }
        parts.append("INTERVAL=\(step)")
      }
      lastYear = last + step > 2199 ? nil : last
    }
    parts += frequency == nil ? days.parts : plainParts
    func add(_ name: String, _ list: [Int]?, isGiven: Bool) {
      if let list, list.count > 1 || !isGiven { parts.append("\(name)=\(Self.list(list))") }
    }
    // A single value is that of the start and is left out, unless the frequency runs through all values.
    add("BYHOUR", hours, isGiven: frequency == nil)
    add("BYMINUTE", minutes, isGiven: frequency == nil || frequency == "HOURLY")
    add("BYSECOND", seconds, isGiven: true)
    return (parts.joined(separator: ";"), lastYear)
  }

  /// The date part, for an event that elapses at given times of some days.
  private var dayParts: (frequency: String, parts: [String]) {
    guard let days else {
      return weekdays == nil ? ("DAILY", plainParts) : ("WEEKLY", plainParts)
    }
    let frequency = months == nil ? "MONTHLY" : "YEARLY"
    guard let weekdays, let ordinals = ordinals(days) else {
      return (frequency, plainParts)
    }
    let each = ordinals.flatMap { ordinal in
      weekdays.map { "\(ordinal)\(RecurrenceRule.weekdays[$0.rawValue])" }
    }
    return (frequency, monthParts + ["BYDAY=" + each.joined(separator: ",")])
  }

  /// The weeks of a month, if the days form whole ones: 8 to 14 is the second.
  private func ordinals(_ days: [Int]) -> [Int]? {
    let last = daysFromEnd ? 28 : 31
    let ordinals = Set(days.map { ($0 + 6) / 7 }).sorted()
    guard ordinals.flatMap({ $0 * 7 - 6...min($0 * 7, last) }) == days else { return nil }
    return ordinals.map { daysFromEnd ? -$0 : $0 }
  }

  private var monthParts: [String] { months.map { ["BYMONTH=\(Self.list($0))"] } ?? [] }

  /// The parts of the date; all of them must match.
  private var plainParts: [String] {
    var parts = monthParts
    if let days {
      parts.append("BYMONTHDAY=\(Self.list(days.map { daysFromEnd ? -$0 : $0 }))")
    }
    if let weekdays {
      parts.append("BYDAY=" + weekdays.map { RecurrenceRule.weekdays[$0.rawValue] }.joined(separator: ","))
    }
    return parts
  }

  private static func list(_ values: [Int]) -> String { values.map(String.init).joined(separator: ",") }
}
