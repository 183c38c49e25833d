import Alarms
import EggTime
import Gettext

/// Writes alarms as an iCalendar file (RFC 5545), piece by piece: ``header()``, ``entry(_:)`` for each, ``end()``.
///
/// An alarm becomes a VEVENT of zero length that shows as free time, with a VALARM for each of its leads, or at its start:
/// calendars show it and ring. Days on which it keeps quiet are properties of eggd's own, and EXDATEs for others. A done one-shot becomes a completed VTODO: calendars tick it off and do not ring; or a
/// VEVENT whose VALARMs do nothing, where an entry may not change its kind. A recurring alarm goes on, so it stays a
/// VEVENT. The VTIMEZONE of a zone comes before the first entry that uses it.
package struct ICalendarWriter {
  /// An alarm as text.
  package struct Entry: Equatable {
    /// Empty if the alarm cannot be written.
    package var text: String
    /// What the user should know about it: one sentence in lower case.
    package var message: String?
  }

  private let context: ReadingContext
  private let marksToDos: Bool
  private let daysOff: (String) -> DaySet?
  private var written: Set<String> = []

  /// - Parameters:
  ///   - context: The present, the caller's zone, and the loader of zones.
  ///   - marksToDos: Whether a done one-shot becomes a VTODO.
  ///   - daysOff: Those of a name, to be written as dates too.
  package init(
    context: ReadingContext, marksToDos: Bool = true, daysOff: @escaping (String) -> DaySet? = { _ in nil }
  ) {
    self.context = context
    self.marksToDos = marksToDos
    self.daysOff = daysOff
  }

  package func header() -> String {
    var content = ContentWriter()
    for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//eggd//eggctl//EN", "CALSCALE:GREGORIAN"] {
      content.line(line)
    }
    return content.text
  }

  package func end() -> String { "END:VCALENDAR\r\n" }

  /// The alarm's entry, after its zone if that is new.
  package mutating func entry(_ alarm: CalendarAlarm) -> Entry {
    var content = ContentWriter()
    var message: String?
    let when: EntryMoments
    do throws(ZoneError) {
      when = try moments(alarm)
    } catch {
      guard let moment = alarm.moment else {
        return Entry(text: "", message: tr("its zone '\((alarm.zone ?? "").visible)' is unknown here"))
      }
      message =
        tr("its zone '\((alarm.zone ?? "").visible)' is unknown here; its next moment is written")
      when = .once(.utc(moment))
    }
    guard let start = when.start else {
      return Entry(
        text: "", message: tr("it is \(alarm.state.rawValue) and has no moment to show"))
    }
    if case .zone(_, let zone) = start, written.insert(zone.identifier).inserted {
      ZoneObservances(zone, now: context.now).write(to: &content)
    }
    let isOver = alarm.isDone && !when.isRecurring
    let isSkipped = alarm.state == .skipped && !when.isRecurring
    let isPaused = alarm.state == .paused
    let isToDo = isOver && marksToDos
    content.line(isToDo ? "BEGIN:VTODO" : "BEGIN:VEVENT")
    content.line("UID:\(alarm.identity)")
    content.line("DTSTAMP", context.now)
    content.line("CREATED", alarm.createdAt)
    content.line("LAST-MODIFIED", alarm.modifiedAt)
    if let revision = alarm.revision { content.line("SEQUENCE:\(revision)") }
    content.line(start.property(isToDo ? "DUE" : "DTSTART"))
    message = when.writeRule(to: &content) ?? message
    if when.lead != .zero { content.line("X-EGGD-MOMENT:\(when.lead)") }
    if case .recurring(let recurrence) = when {
      let quiet = recurrence.write(alarm.rules, daysOff: daysOff, now: context.now, to: &content)
      message = message ?? quiet
    }
    writeTexts(alarm, to: &content)
    if isToDo {
      content.line("STATUS:COMPLETED")
      content.line("PERCENT-COMPLETE:100")
      content.line("COMPLETED", alarm.doneAt)
    } else {
      content.line("TRANSP:TRANSPARENT")
      if alarm.isDone { content.line("X-EGGD-DONE", alarm.doneAt ?? context.now) }
    }
    if isSkipped { content.line("X-EGGD-SKIPPED:TRUE") }
    if isPaused { content.line("X-EGGD-PAUSED:\(alarm.remaining.map(Self.duration) ?? "TRUE")") }
    // What does not ring here must not ring on other machines.
    let action =
      isOver || isSkipped || isPaused ? "ACTION;\(AlarmDraft.silent)=DISPLAY:NONE" : "ACTION:DISPLAY"
    for lead in when.distances(alarm.rules.leads) {
      content.line("BEGIN:VALARM")
      content.line(action)
      content.line("TRIGGER:\(lead)")
      content.line("DESCRIPTION", text: title(alarm))
      content.line("END:VALARM")
    }
    content.line(isToDo ? "END:VTODO" : "END:VEVENT")
    return Entry(text: content.text, message: message)
  }

  private static func duration(_ span: TimeSpan) -> String {
    "\(CalendarDistance(secondsOnClock: Int((span.microseconds + 999_999) / 1_000_000)))"
  }

  private func title(_ alarm: CalendarAlarm) -> String { alarm.label ?? CalendarWords.summary(alarm.summary) }

  private func writeTexts(_ alarm: CalendarAlarm, to content: inout ContentWriter) {
    content.line("SUMMARY", text: title(alarm))
    content.line("DESCRIPTION", text: alarm.body)
    content.line("COMMENT", text: alarm.note)
    var categories = alarm.category == .other ? [] : [alarm.category.rawValue]
    // An import would read such a group as a category.
    if let group = alarm.group, Category(rawValue: group.lowercased()) == nil { categories.append(group) }
    if !categories.isEmpty {
      content.line("CATEGORIES:" + categories.map(ContentText.escaped).joined(separator: ","))
    }
    content.line("X-EGGD-EGGS:\(alarm.eggs)")
    content.line("X-EGGD-GROUP", text: alarm.group)
    content.line("X-EGGD-SUMMARY", text: alarm.summary)
    for field in CalendarAlarm.mannerFields {
      let name = "X-EGGD-" + field.name.uppercased()
      switch alarm.manner[field] {
      case .text(let text): content.line(name, text: text)
      case .number(let span): content.line("\(name):\(Self.duration(TimeSpan(microseconds: span)))")
      case .flag(true): content.line("\(name):TRUE")
      case .flag(false), nil: break
      }
    }
    if alarm.label == nil { content.line("X-EGGD-UNLABELLED:TRUE") }
  }
}

extension ICalendarWriter {
  /// When the alarm rings. A recurring alarm with nothing left is written as its last moment.
  private func moments(_ alarm: CalendarAlarm) throws(ZoneError) -> EntryMoments {
    switch alarm.timing {
    case .once(let moment):
      let end = moment ?? (alarm.state == .paused ? alarm.remaining.map { context.now + $0 } : nil)
      return .once(end.map(EntryStart.utc))
    case .civil(let civil):
      if alarm.floats { return .once(.floating(civil)) }
      return .once(try start(civil, in: try zone(named: alarm.zone)))
    case .every(let time): return try moments(alarm, of: time)
    }
  }

  private func moments(
    _ alarm: CalendarAlarm, of time: RecurringTime
  ) throws(ZoneError) -> EntryMoments {
    let zone = try zone(named: time.zoneName ?? alarm.zone)
    let first = context.first(of: time, from: alarm.from, leads: alarm.rules.leads, in: zone)
    guard let first, alarm.until.map({ first <= $0 }) ?? true,
      alarm.state != .rung, alarm.state != .missed, alarm.state != .skipped
    else { return .once(alarm.lastMoment.map(EntryStart.utc)) }
    let floats = alarm.floats && time.zoneName == nil
    // A rule begins where it began.
    var civil = zone.civil(at: first)
    if case .rule(let set) = time { civil = set.begun.start }
    var isElapsed = false
    if case .interval(let interval) = time { isElapsed = interval.isElapsed }
    let start: EntryStart =
      isElapsed ? .utc(first) : floats ? .floating(civil) : try start(civil, in: zone)
    return .recurring(
      EntryRecurrence(
        time: time, zone: zone, first: first, start: start, from: alarm.from, until: alarm.until,
        count: alarm.count))
  }

  private func start(_ civil: CivilDateTime, in zone: Zone) throws(ZoneError) -> EntryStart {
    zone.identifier == Zone.utc.identifier ? .utc(zone.resolve(civil).instant) : .zone(civil, zone)
  }

  /// The zone that an alarm follows; the caller's own if it names none.
  private func zone(named name: String?) throws(ZoneError) -> Zone {
    guard let name, name != context.zone.identifier else {
      return context.zone
    }
    return try context.loadZone(name)
  }
}
