import EggTime

extension EntryTiming {
  /// A rule as an alarm has it.
  private struct Recurrence {
    var event: CalendarEvent
    /// What the event was made of; nil for one that an export wrote.
    var pattern: RecurrencePattern?
    var until: Instant?
    /// From the start of the entry on.
    var count: Int64?
  }

  /// Elapses that are counted one by one, where a rule says how many there are.
  private static var mostCounted: Int64 { 10_000 }

  /// What its rule, or the event that an export wrote, comes to from its start on.
  func recurring(
    _ draft: EntryDraft, start: CalendarMoment, distance: CalendarDistance
  ) throws(CalendarProblem) -> CalendarEntry {
    // On the clock: where that is set between start and alarm, what lies between is not elapsed time.
    let shift = distance.secondsOnClock
    let first = CivilDateTime(secondsOnClock: start.civil.secondsOnClock + shift)
    guard first.isValid else {
      throw CalendarProblem(line: draft.line, message: "it begins before the year 0 or after 9999")
    }
    if let property = draft[.event] {
      return try settle(try exported(property), draft, start: start, first: first, named: property)
    }
    guard let property = draft[.rule] else { return try once(draft, start: start, distance: distance) }
    let recurrence: Recurrence?
    do throws(RuleProblem) {
      guard !property.isCut else { throw RuleProblem("its RRULE is too long") }
      let rule = try RecurrenceRule(property.value)
      recurrence = rule.count == 1 ? nil : try self.recurrence(rule, start: start, shift: shift)
    } catch {
      throw property.problem(error.message)
    }
    guard let recurrence else { return try once(draft, start: start, distance: distance) }
    return try settle(recurrence, draft, start: start, first: first, named: property)
  }

  private func recurrence(
    _ rule: RecurrenceRule, start: CalendarMoment, shift: Int
  ) throws(RuleProblem) -> Recurrence {
    let pattern = try rule.pattern(from: start.civil)
    guard pattern.event != nil else { throw RuleProblem("its rule names no moment at all") }
    guard let moved = pattern.moved(by: shift), let event = moved.event else {
      throw RuleProblem("with its alarm so much before or after, it rings on days that no calendar event has")
    }
    var recurrence = Recurrence(event: event, pattern: moved, count: rule.count)
    if let text = rule.until {
      recurrence.until = try until(text, start: start, shift: shift)
    }
    return recurrence
  }

  /// The last moment at which it may ring. A day is taken whole.
  private func until(_ text: String, start: CalendarMoment, shift: Int) throws(RuleProblem) -> Instant {
    let zone = start.zone ?? context.zone
    guard let end = CalendarMoment(text, zone: start.zone) else {
      throw RuleProblem("UNTIL is no date and time: '\(text.prefix(60).visible)'")
    }
    var civil = end.isDay ? end.civil : zone.civil(at: end.instant(context.zone))
    if end.isDay || start.isDay {
      let lastOfDay = start.isDay ? 0 : 86_399
      civil = CivilDateTime(dayNumber: civil.dayNumber)
      civil = CivilDateTime(secondsOnClock: civil.secondsOnClock + lastOfDay)
    }
    let moved = CivilDateTime(secondsOnClock: civil.secondsOnClock + shift)
    return min(max(zone.resolve(moved).instant, Instant(microseconds: 0)), .latest)
  }

  /// What an export wrote where no rule of iCalendar is the event.
  private func exported(_ property: Property) throws(CalendarProblem) -> Recurrence {
    guard let event = CalendarEvent(ContentText.unescaped(property.value)), event.zoneName == nil else {
      throw property.problem("'\(property.value.prefix(60).visible)' is no calendar event without a zone")
    }
    var recurrence = Recurrence(event: event)
    if let text = property.parameter("X-UNTIL") {
      guard let until = CalendarMoment(text) else { throw property.problem("X-UNTIL is no date and time") }
      recurrence.until = until.instant(context.zone)
    }
    if let text = property.parameter("X-COUNT") {
      guard let count = Int64(text), count > 0 else { throw property.problem("X-COUNT is no number above 0") }
      recurrence.count = count
    }
    return recurrence
  }

  /// The entry as it stands now: what it has still to come.
  private func settle(
    _ recurrence: Recurrence, _ draft: EntryDraft, start: CalendarMoment, first: CivilDateTime,
    named property: Property
  ) throws(CalendarProblem) -> CalendarEntry {
    let zone = start.zone ?? context.zone
    let begin = zone.resolve(first).instant
    let before = begin - TimeSpan(microseconds: 1)
    var event = recurrence.event
    if let next = event.next(after: context.now, in: zone), next < begin {
      // A year in the event can keep it from ringing before it begins.
      var pattern = recurrence.pattern
      if pattern?.years == nil { pattern?.years = (first.year, first.year < 2199 ? 1 : 0) }
      guard let later = pattern?.event, let next = later.next(after: context.now, in: zone), next >= begin
      else {
        throw property.problem(
          "it begins on \(DisplayFormat.text(first)), and a recurring alarm begins at once")
      }
      event = later
    }
    var entry = CalendarEntry(
      line: draft.line, timing: .every(event, zone: start.zone?.identifier), until: recurrence.until)
    entry.due = event.next(after: max(context.now, before), in: zone)
    if let count = recurrence.count {
      let left = count - (try elapses(of: event, after: before, atMost: count, in: zone, named: property))
      if left == 0 { entry.due = nil } else { entry.count = left }
    }
    if let due = entry.due, let until = recurrence.until, due > until { entry.due = nil }
    if let due = entry.due, begin > context.now, due != begin {
      entry.notes.append("its start is not one of its rule's moments, and does not ring")
    }
    return entry
  }

  /// How often it has elapsed by now.
  private func elapses(
    of event: CalendarEvent, after start: Instant, atMost count: Int64, in zone: Zone,
    named property: Property
  ) throws(CalendarProblem) -> Int64 {
    var passed: Int64 = 0
    var base = start
    while passed < count, let next = event.next(after: base, in: zone), next <= context.now {
      passed += 1
      base = next
      guard passed <= Self.mostCounted else {
        throw property.problem("it has been more than \(Self.mostCounted) times: say UNTIL instead of COUNT")
      }
    }
    return passed
  }
}
