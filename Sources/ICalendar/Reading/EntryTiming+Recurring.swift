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
  func recurring(
    _ draft: EntryDraft, start: CalendarMoment, distance: CalendarDistance
  ) throws(CalendarProblem) -> CalendarEntry {
    // Civil time: the alarm keeps its distance on the clock when the clock changes between alarm and start.
    let shift = distance.secondsOnClock
    let first = CivilDateTime(secondsOnClock: start.civil.secondsOnClock + shift)
    guard first.isValid else {
      throw CalendarProblem(line: draft.line, message: tr("it begins before the year 0 or after 9999"))
    }
    if let property = draft[.interval] ?? draft[.event] {
      return try settle(try exported(property), draft, start: start, first: first, named: property)
    }
    guard let property = draft[.rule] else { return try once(draft, start: start, distance: distance) }
    let recurrence: Recurrence?
    do throws(RuleProblem) {
      guard !property.isCut else { throw RuleProblem(tr("its RRULE is too long")) }
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
    var recurrence = Recurrence(time: try time(rule, start: start, shift: shift), count: rule.count)
    if let text = rule.until {
      recurrence.until = try until(text, start: start, shift: shift)
    }
    return recurrence
  }

  /// The rule's calendar event, else its interval.
  private func time(
    _ rule: RecurrenceRule, start: CalendarMoment, shift: Int
  ) throws(RuleProblem) -> RecurringTime {
    let pattern: RecurrencePattern
    do throws(RuleProblem) {
      pattern = try rule.pattern(from: start.civil)
    } catch {
      guard let interval = rule.interval(from: start, movedBy: shift, in: context.zone) else { throw error }
      return .interval(interval)
    }
    guard pattern.event != nil else { throw RuleProblem(tr("its rule never occurs")) }
    guard let moved = pattern.moved(by: shift), let event = moved.event else {
      throw RuleProblem(tr("its TRIGGER moves it to days that no calendar event can name"))
    }
    return .event(event)
  }

  /// The last moment at which it may ring. A date means the whole day.
  private func until(_ text: String, start: CalendarMoment, shift: Int) throws(RuleProblem) -> Instant {
    let zone = start.zone ?? context.zone
    guard let end = CalendarMoment(text, zone: start.zone) else {
      throw RuleProblem(tr("UNTIL is not a date and time: '\(text.prefix(60).visible)'"))
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
    var entry = CalendarEntry(
      line: draft.line, timing: .every(time, zone: start.zone?.identifier), until: recurrence.until)
    if let next = time.next(after: context.now, in: zone), next < begin { entry.from = begin }
    if let property = draft[.from] {
      guard let from = CalendarMoment(property.value) else {
        throw property.problem(tr("X-EGGD-FROM is not a date and time"))
      }
      entry.from = from.instant(context.zone)
    }
    entry.due = time.next(after: max(context.now, before), in: zone)
    if let count = recurrence.count {
      let left = count - (try elapses(of: time, after: before, atMost: count, in: zone, named: property))
      if left == 0 { entry.due = nil } else { entry.count = left }
    }
    if let due = entry.due, let until = recurrence.until, due > until { entry.due = nil }
    if let due = entry.due, begin > context.now, due != begin {
      entry.notes.append(tr("its start does not match its rule, so it does not ring then"))
    }
    return entry
  }

  /// How often it has elapsed so far.
  private func elapses(
    of time: RecurringTime, after start: Instant, atMost count: Int64, in zone: Zone,
    named property: Property
  ) throws(CalendarProblem) -> Int64 {
    var passed: Int64 = 0
    var base = start
    while passed < count, let next = time.next(after: base, in: zone), next <= context.now {
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
