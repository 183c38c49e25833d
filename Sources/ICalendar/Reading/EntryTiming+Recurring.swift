import EggTime
import Gettext

extension EntryTiming {
  /// A rule, read as a recurring timing.
  private struct Recurrence {
    var time: RecurringTime
    var until: Instant?
    /// Counted from the entry's start.
    var count: Int64?
  }

  /// With COUNT, elapses are counted one by one up to here.
  private static var mostCounted: Int64 { 10_000 }

  /// Reads the rule, or the event or interval that an export wrote.
  mutating func recurring(
    _ draft: EntryDraft, start: CalendarMoment, distance: CalendarDistance
  ) throws(CalendarProblem) -> CalendarEntry {
    // Civil time: 09:00 also on a day on which the clock changes.
    let shift = distance.secondsOnClock
    let first = CivilDateTime(secondsOnClock: start.civil.secondsOnClock + shift)
    guard first.isValid else {
      throw CalendarProblem(line: draft.line, message: tr("it begins before the year 0 or after 9999"))
    }
    if let property = draft[.interval] ?? draft[.event] {
      let exported = try exported(property)
      if isCurrent(exported.time, draft, first: first, in: start.zone ?? context.zone) {
        return try settle(exported, draft, start: start, first: first, named: property)
      }
      guard draft[.rule] != nil || !draft.dates.isEmpty else {
        return try once(draft, start: start, distance: distance)
      }
    }
    let exceptions = try exceptions(of: draft, start: start)
    var entry = try recurring(draft, exceptions, start: start, first: first, distance: distance)
    for note in exceptions.notes where !entry.notes.contains(note) { entry.notes.append(note) }
    return entry
  }

  /// Reads the rule and its exceptions, as a set if nothing simpler is the same.
  private func recurring(
    _ draft: EntryDraft, _ exceptions: EntryExceptions, start: CalendarMoment, first: CivilDateTime,
    distance: CalendarDistance
  ) throws(CalendarProblem) -> CalendarEntry {
    let rule = try rule(of: draft)
    let shift = distance.secondsOnClock
    if let rule, let property = draft[.rule], exceptions.isEmpty {
      if rule.count == 1 { return try once(draft, start: start, distance: distance) }
      var moved = start
      moved.civil = first
      // On another day the rule means others.
      if first.dayNumber == start.civil.dayNumber, let time = time(rule, start: moved) {
        let until = rule.until.map { self.until($0, start: start, shift: shift) }
        let recurrence = Recurrence(time: time, until: until, count: rule.count)
        return try settle(recurrence, draft, start: start, first: first, named: property)
      }
    }
    return try settle(
      try set(rule, exceptions, draft, start: start, shift: shift), draft, start: start, first: first,
      exceptions)
  }

  /// Whether the entry still says what an export wrote. Another program that changes its start or its rule
  /// leaves the property as it was.
  private func isCurrent(
    _ time: RecurringTime, _ draft: EntryDraft, first: CivilDateTime, in zone: Zone
  ) -> Bool {
    let begin = zone.resolve(first).instant
    // An entry begins with a whole second.
    guard let next = time.next(after: begin - TimeSpan(microseconds: 1), in: zone), next < begin + .seconds(1)
    else { return false }
    guard case .interval(let interval) = time, let rule = draft[.rule] else { return true }
    let parts = rule.value.uppercased().split(separator: ";").filter {
      !$0.hasPrefix("COUNT=") && !$0.hasPrefix("UNTIL=")
    }
    return interval.rule.map { Set($0.split(separator: ";")) } == Set(parts)
  }

  func rule(of draft: EntryDraft) throws(CalendarProblem) -> RecurrenceRule? {
    guard let property = draft[.rule] else { return nil }
    do throws(RuleProblem) {
      guard !property.isCut else { throw .tooLong }
      return try RecurrenceRule(property.value)
    } catch {
      throw property.problem(error.words(in: tr))
    }
  }

  /// The rule's calendar event, else its interval; nil if neither expresses it.
  private func time(_ rule: RecurrenceRule, start: CalendarMoment) -> RecurringTime? {
    if let pattern = rule.pattern(from: start.civil) { return pattern.event.map { .event($0) } }
    return rule.interval(from: start, in: context.zone).map { .interval($0) }
  }

  /// The last moment at which it may ring. A date means the whole day.
  private func until(_ value: BasicDateTime, start: CalendarMoment, shift: Int) -> Instant {
    let zone = start.zone ?? context.zone
    var civil = value.civil
    if value.isUTC { civil = zone.civil(at: Zone.utc.resolve(civil).instant) }
    if value.isDay || start.isDay {
      let lastOfDay = start.isDay ? 0 : 86_399
      civil = CivilDateTime(dayNumber: civil.dayNumber)
      civil = CivilDateTime(secondsOnClock: civil.secondsOnClock + lastOfDay)
    }
    let moved = CivilDateTime(secondsOnClock: civil.secondsOnClock + shift)
    return min(max(zone.resolve(moved).instant, Instant(microseconds: 0)), .latest)
  }

  /// Reads what an export wrote: an interval, or an event that no RRULE can express.
  private func exported(_ property: Property) throws(CalendarProblem) -> Recurrence {
    let text = ContentText.unescaped(property.value)
    let isInterval = property.name == .interval
    let time =
      isInterval
      ? RecurringInterval(text).map(RecurringTime.interval) : CalendarEvent(text).map(RecurringTime.event)
    guard let time, time.zoneName == nil else {
      let what = isInterval ? tr("an interval") : tr("a calendar event")
      throw property.problem(tr("'\(property.value.prefix(60).visible)' is not \(what) without a zone"))
    }
    var recurrence = Recurrence(time: time)
    if let text = property.parameter("X-UNTIL") {
      guard let until = CalendarMoment(text) else {
        throw property.problem(tr("X-UNTIL is not a date and time"))
      }
      recurrence.until = until.instant(context.zone)
    }
    if let text = property.parameter("X-COUNT") {
      guard let count = Int64(text), count > 0 else {
        throw property.problem(tr("X-COUNT is not a number above 0"))
      }
      recurrence.count = count
    }
    return recurrence
  }

  /// The entry as of now: its next moment, and how many are left.
  private func settle(
    _ recurrence: Recurrence, _ draft: EntryDraft, start: CalendarMoment, first: CivilDateTime,
    named property: Property
  ) throws(CalendarProblem) -> CalendarEntry {
    let zone = start.zone ?? context.zone
    let begin = zone.resolve(first).instant
    let before = begin - TimeSpan(microseconds: 1)
    let time = recurrence.time
    let bounds = CalendarContent.Time(.every(time, zone: start.zone?.identifier), until: recurrence.until)
    var entry = CalendarEntry(line: draft.line, content: CalendarContent(bounds))
    if let next = time.next(after: over, in: zone), next < begin { entry.from = begin }
    entry.from = try moment(.from, of: draft) ?? entry.from
    entry.due = time.next(after: max(over, before), in: zone)
    if let count = recurrence.count {
      let left = count - (try elapses(of: time, after: before, atMost: count, in: zone, named: property))
      if left == 0 { entry.due = nil } else { entry.count = left }
    }
    if let due = entry.due, let until = recurrence.until, due > until { entry.due = nil }
    // An entry begins with a whole second.
    if let due = entry.due, begin > context.now, due < begin || due >= begin + .seconds(1) {
      entry.notes.append(tr("its start does not match its rule, so it does not ring then"))
    }
    return entry
  }

  /// The moment of a property that an export wrote.
  func moment(_ name: Property.Name, of draft: EntryDraft) throws(CalendarProblem) -> Instant? {
    guard let property = draft[name] else { return nil }
    guard let moment = CalendarMoment(property.value) else {
      throw property.problem(tr("\(name.rawValue) is not a date and time"))
    }
    return moment.instant(context.zone)
  }

  /// How often it has elapsed so far.
  private func elapses(
    of time: RecurringTime, after start: Instant, atMost count: Int64, in zone: Zone,
    named property: Property
  ) throws(CalendarProblem) -> Int64 {
    var passed: Int64 = 0
    var base = start
    while passed < count, let next = time.next(after: base, in: zone), next <= over {
      passed += 1
      base = next
      guard passed <= Self.mostCounted else {
        throw property.problem(
          tr("it has occurred more than \(Self.mostCounted) times: use UNTIL instead of COUNT"))
      }
    }
    return passed
  }
}
