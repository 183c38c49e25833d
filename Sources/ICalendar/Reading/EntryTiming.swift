import Alarms
import EggTime
import Gettext

/// Reads when an entry rings: DTSTART or DUE, its rule, and its alarms as leads.
struct EntryTiming {
  let context: ReadingContext
  var zones: CalendarZones
  /// What is wrong with overrides.
  var problems: [CalendarProblem] = []
  /// Of the entry that is read, ascending.
  var alarms: [Lead] = []

  var over: Instant { context.over(alarms) }

  /// An entry of a whole day without an alarm that is a lead rings at 09:00.
  private static let morning = CalendarDistance(seconds: 9 * 3_600)

  /// The moment that an entry is for, before its rule is read.
  struct Ring {
    /// DTSTART; DUE of a to-do that does not recur.
    var start: CalendarMoment
    /// From the start to the moment: to the morning of a whole day, and to the end of a to-do.
    var distance = CalendarDistance.zero
    /// From the start to what START and END of an alarm are.
    var begin = CalendarDistance.zero
    var end = CalendarDistance.zero
    var notes: [String] = []
  }

  /// An entry with its timing only.
  mutating func entry(of draft: EntryDraft) throws(CalendarProblem) -> CalendarEntry {
    if let property = draft[.excludedRule], !draft.isExported {
      throw property.problem(tr("EXRULE is no longer part of iCalendar; leave dates out with EXDATE"))
    }
    var ring = try ring(of: draft)
    alarms = try leads(of: draft, at: ring, notes: &ring.notes)
    var entry = try timed(draft, at: ring)
    if case .every(let time, _) = entry.timing,
      time.isTooDense(for: alarms, after: context.now, in: ring.start.zone ?? context.zone)
    {
      alarms = []
      entry = try timed(draft, at: ring)
      entry.notes.append(tr("it recurs too often for its alarms; it rings at its moments"))
    }
    entry.notes += ring.notes
    entry.rules.leads = alarms
    try readRules(of: draft, from: ring.start, into: &entry)
    return entry
  }

  private mutating func timed(_ draft: EntryDraft, at ring: Ring) throws(CalendarProblem) -> CalendarEntry {
    guard draft.recurs || draft.isExported else {
      return try once(draft, start: ring.start, distance: ring.distance)
    }
    return try recurring(draft, start: ring.start, distance: ring.distance)
  }

  /// An event is for its start, a to-do for its end.
  mutating func ring(of draft: EntryDraft) throws(CalendarProblem) -> Ring {
    var ring = Ring(start: try start(of: draft))
    var isDay = ring.start.isDay
    if draft.isToDo, let property = draft[.due], draft[.start] != nil {
      let due = try moment(property)
      isDay = due.isDay
      if !draft.hasRule {
        ring.begin = CalendarDistance(from: due, to: ring.start, local: context.zone)
        ring.start = due
      }
    }
    if draft.isToDo ? draft.hasRule || draft[.due] == nil : draft.alarms.contains(where: \.isOfEnd) {
      ring.end = try length(of: draft, from: ring.start)
    }
    if let away = draft[.away].flatMap({ CalendarDistance($0.value) }) {
      ring.distance = away
    } else {
      if draft.isToDo { ring.distance = ring.end }
      if isDay, try distances(of: draft, at: ring).allSatisfy({ Lead($0) == nil }) {
        ring.distance = ring.distance + Self.morning
        ring.notes.append(tr("it has no time of day; it rings at 09:00"))
      }
    }
    return ring
  }

  mutating func start(of draft: EntryDraft) throws(CalendarProblem) -> CalendarMoment {
    guard let anchor = draft[.start] ?? (draft.isToDo ? draft[.due] ?? draft.fixedMoment : nil) else {
      let missing = draft.isToDo ? tr("neither DTSTART nor DUE") : tr("no DTSTART")
      throw CalendarProblem(line: draft.line, message: tr("it has \(missing), so nothing says when to ring"))
    }
    return try moment(anchor)
  }

  /// From the entry's start to its end.
  mutating func length(
    of draft: EntryDraft, from start: CalendarMoment
  ) throws(CalendarProblem) -> CalendarDistance {
    if let property = draft[.start] == nil ? nil : draft[draft.isToDo ? .due : .finish] {
      let end = try moment(property)
      let length = CalendarDistance(from: start, to: end, local: context.zone)
      guard length.secondsOnClock >= 0 else { throw property.problem(tr("it ends before it begins")) }
      return length
    }
    guard let property = draft[.duration] else {
      return CalendarDistance(days: start.isDay && !draft.isToDo ? 1 : 0)
    }
    guard let length = CalendarDistance(property.value), length.secondsOnClock >= 0 else {
      throw property.problem(tr("'\(property.value.prefix(60).visible)' is not a DURATION"))
    }
    return length
  }

  mutating func moment(_ property: Property) throws(CalendarProblem) -> CalendarMoment {
    try moment(property.value, of: property)
  }

  /// One of a property's values.
  mutating func moment(
    _ value: some StringProtocol, of property: Property
  ) throws(CalendarProblem) -> CalendarMoment {
    var zone: Zone?
    if let name = property.parameter("TZID"), BasicDateTime(value)?.isUTC != true {
      zone = zones.zone(name)
      if zone == nil {
        throw property.problem(tr("TZID '\(name.prefix(100).visible)' is not a time zone of this machine"))
      }
    }
    guard let moment = CalendarMoment(value, zone: zone) else {
      throw property.problem(
        tr("\(property.name.rawValue) is not a date and time: '\(value.prefix(60).visible)'"))
    }
    return moment
  }
}

extension ReadingContext {
  /// Moments up to this are over with all their leads, some of which may ring after the moment itself.
  ///
  /// - Parameter leads: Ascending.
  func over(_ leads: [Lead]) -> Instant {
    guard let first = leads.first, first.span < .zero else { return now }
    return now + first.span - (first.days == 0 ? .zero : Lead.slack)
  }

  /// The first moment that has a ring to come.
  ///
  /// - Parameters:
  ///   - begin: It is not earlier than this.
  ///   - leads: Ascending.
  package func first(of time: RecurringTime, from begin: Instant?, leads: [Lead], in zone: Zone) -> Instant? {
    let leads = leads.isEmpty ? [.zero] : leads
    var base = over(leads)
    if let begin { base = max(base, begin - TimeSpan(microseconds: 1)) }
    var first = time.next(after: base, in: zone)
    while let moment = first, leads.allSatisfy({ $0.ring(before: moment, in: zone) <= now }) {
      first = time.next(after: moment, in: zone)
    }
    return first
  }
}

extension EntryTiming {
  func once(
    _ draft: EntryDraft, start: CalendarMoment, distance: CalendarDistance
  ) throws(CalendarProblem) -> CalendarEntry {
    let day = start.civil.adding(days: distance.days)
    let moved = CivilDateTime(secondsOnClock: day.secondsOnClock + distance.seconds)
    var timing = CalendarEntry.Timing.civil(moved, zone: nil)
    var due = context.zone.resolve(moved).instant
    if let zone = start.zone {
      due = zone.resolve(day).instant + .seconds(Int64(distance.seconds))
      let shown = distance.seconds == 0 ? day : zone.civil(at: due)
      // Where the clock is set back, a civil time occurs twice. The second can only be given as an instant.
      let isInstant = zone.identifier == Zone.utc.identifier || zone.resolve(shown).instant != due
      timing = isInstant ? .instant(due) : .civil(shown, zone: zone.identifier)
    }
    guard due.microseconds >= 0, due <= .latest, moved.year >= 1970, moved.isValid else {
      throw CalendarProblem(line: draft.line, message: tr("it rings before 1970 or after 9999"))
    }
    return CalendarEntry(
      line: draft.line, content: CalendarContent(CalendarContent.Time(timing)), moment: due,
      due: due > context.now ? due : nil)
  }
}
