import EggTime
import Gettext

extension CalendarMoment {
  /// `DTSTART;TZID=Europe/Paris:20261224T180000`, with the given property name.
  func property(_ name: String) -> String { property(name, [BasicDateTime(civil)], isDay: false) }

  /// A list of times on this clock; days have no clock.
  func property(_ name: String, _ times: [BasicDateTime], isDay: Bool) -> String {
    let values = times.map { isUTC && !isDay ? BasicDateTime($0.civil, isUTC: true) : $0 }
    let clock = isUTC ? "" : zone.map { ";TZID=\(Property.quoted($0.identifier))" } ?? ""
    return "\(name)\(isDay ? ";VALUE=DATE" : clock):\(values.map(\.description).joined(separator: ","))"
  }

  /// A list of moments in the same form.
  func property(_ name: String, _ moments: [Instant], in zone: Zone) -> String {
    let clock = self.zone ?? zone
    return property(name, moments.map { BasicDateTime(clock.civil(at: $0)) }, isDay: false)
  }
}

/// When an exported entry rings.
struct EntryMoments {
  /// nil if it has no moment.
  var start: CalendarMoment?
  /// nil for a one-shot.
  var recurrence: EntryRecurrence?

  /// How far from its start it rings.
  var lead: CalendarDistance {
    if case .rule(let set) = recurrence?.time { set.lead } else { .zero }
  }

  /// How far from its start it rings with each of these leads.
  func distances(_ leads: [Lead]) -> [String] {
    if leads.isEmpty { return ["\(lead)"] }
    return lead == .zero
      ? leads.map(\.trigger)
      : leads.map { "\(lead + CalendarDistance(days: -$0.days, seconds: -$0.seconds))" }
  }
}

/// A recurring alarm, written from its next moment on.
struct EntryRecurrence {
  let time: RecurringTime
  let zone: Zone
  let first: Instant
  let start: CalendarMoment
  /// Its count is from ``first`` on.
  var bounds: CalendarContent.Time

  /// Moments written if no rule expresses the event.
  private static let mostDates = 100
  /// Moments counted to find out whether count or end comes first.
  private static let mostCounted = 10_000

  /// Writes RRULE, else the next moments. An interval, and an event that no rule expresses, also go into a
  /// property that an import reads.
  func write(to content: inout ContentWriter) -> String? {
    // To the second: not earlier.
    if let from = bounds.from, from <= first {
      content.line("X-EGGD-FROM", from + TimeSpan(microseconds: 999_999))
    }
    let (rule, lastYear): (String?, Int?)
    switch time {
    case .rule(let set):
      write(set, to: &content)
      return nil
    case .interval(let interval): (rule, lastYear) = (interval.rule, nil)
    case .event(let event):
      let found = event.values.rule(startingIn: zone.civil(at: first).year)
      rule = found?.rule
      lastYear = found?.lastYear
    }
    guard let rule else { return writeDates(to: &content) }
    if case .interval = time { writeTime("X-EGGD-INTERVAL", to: &content) }
    var end = bounds.until
    if let lastYear {
      let last = CivilDateTime(year: lastYear, month: 12, day: 31, hour: 23, minute: 59, second: 59)
      end = min(end ?? .latest, zone.resolve(last).instant)
    }
    // A rule allows only one of COUNT and UNTIL.
    if let count = bounds.count, end.map({ isReached(count, before: $0) }) ?? true {
      content.line("RRULE:\(rule);COUNT=\(count)")
    } else {
      content.line("RRULE:\(rule)" + (end.map { ";UNTIL=\(self.text($0))" } ?? ""))
    }
    return nil
  }

  /// As it came. Bounds that the user added are properties of their own.
  private func write(_ set: RecurrenceSet, to content: inout ContentWriter) {
    content.line("X-EGGD-UNTIL", bounds.until)
    if let count = bounds.count { content.line("X-EGGD-COUNT:\(count)") }
    if let rule = set.rule { content.line("RRULE:\(rule)") }
    func line(_ name: String, _ list: [BasicDateTime], isDay: Bool) {
      guard !list.isEmpty else { return }
      content.line(start.property(name, list, isDay: isDay))
    }
    line("RDATE", set.dates.map { BasicDateTime($0) }, isDay: false)
    line("EXDATE", set.excluded.filter { !$0.isDay }, isDay: false)
    line("EXDATE", set.excluded.filter(\.isDay), isDay: true)
  }

  private func writeDates(to content: inout ContentWriter) -> String? {
    var moments = [first]
    let most = min(bounds.count.map { Int(clamping: $0) } ?? .max, Self.mostDates)
    while moments.count < most, let next = time.next(after: moments[moments.count - 1], in: zone),
      bounds.until.map({ next <= $0 }) ?? true
    {
      moments.append(next)
    }
    if moments.count > 1 { content.line(start.property("RDATE", Array(moments.dropFirst()), in: zone)) }
    if case .event = time {
      writeTime("X-EGGD-EVENT", to: &content)
    } else {
      writeTime("X-EGGD-INTERVAL", to: &content)
    }
    return tr("iCalendar has no rule for '\(time)'; its next \(moments.count) moments are written")
  }

  private func writeTime(_ name: String, to content: inout ContentWriter) {
    var property = name
    if let until = bounds.until { property += ";X-UNTIL=\(ContentWriter.utc(until))" }
    if let count = bounds.count { property += ";X-COUNT=\(count)" }
    let plain = time.zoneName.map { "\(time)".dropLast($0.count + 1) } ?? "\(time)"[...]
    content.line(property + ":" + ContentText.escaped(String(plain)))
  }

  private func isReached(_ count: Int64, before end: Instant) -> Bool {
    var base = first
    for _ in 1..<max(min(count, Int64(Self.mostCounted)), 1) {
      guard let next = time.next(after: base, in: zone), next <= end else { return false }
      base = next
    }
    return count <= Self.mostCounted
  }

  /// The value of UNTIL: UTC, or civil time if the entry floats.
  private func text(_ end: Instant) -> String {
    start.zone == nil ? BasicDateTime(zone.civil(at: end)).description : ContentWriter.utc(end)
  }
}
