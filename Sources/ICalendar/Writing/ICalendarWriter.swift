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
      let zone = (alarm.followedZone ?? "").visible
      guard let moment = alarm.moment else {
        return Entry(text: "", message: tr("its zone '\(zone)' is unknown here"))
      }
      message = tr("its zone '\(zone)' is unknown here; its next moment is written")
      when = EntryMoments(start: CalendarMoment(moment))
    }
    guard let start = when.start else {
      return Entry(
        text: "", message: tr("it is \(alarm.state.rawValue) and has no moment to show"))
    }
    if let zone = start.zone, !start.isUTC, written.insert(zone.identifier).inserted {
      ZoneObservances(zone, now: context.now).write(to: &content)
    }
    let isOver = alarm.content.isDone && when.recurrence == nil
    let isSkipped = alarm.state == .skipped && when.recurrence == nil
    let isPaused = alarm.state == .paused
    let isToDo = isOver && marksToDos
    content.line(isToDo ? "BEGIN:VTODO" : "BEGIN:VEVENT")
    content.line("UID:\(alarm.identity)")
    content.line("DTSTAMP", context.now)
    content.line("CREATED", alarm.createdAt)
    content.line("LAST-MODIFIED", alarm.modifiedAt)
    if let revision = alarm.revision { content.line("SEQUENCE:\(revision)") }
    content.line(start.property(isToDo ? "DUE" : "DTSTART"))
    message = when.recurrence?.write(to: &content) ?? message
    if when.lead != .zero { content.line("X-EGGD-MOMENT:\(when.lead)") }
    if let recurrence = when.recurrence {
      let quiet = recurrence.write(alarm.content.time.rules, daysOff: daysOff, now: context.now, to: &content)
      message = message ?? quiet
    }
    writeTexts(alarm, to: &content)
    if isToDo {
      content.line("STATUS:COMPLETED")
      content.line("PERCENT-COMPLETE:100")
      content.line("COMPLETED", alarm.doneAt)
    } else {
      content.line("TRANSP:TRANSPARENT")
      if alarm.content.isDone { content.line("X-EGGD-DONE", alarm.doneAt ?? context.now) }
    }
    if isSkipped { content.line("X-EGGD-SKIPPED:TRUE") }
    if isPaused { content.line("X-EGGD-PAUSED:\(alarm.remaining.map(Self.duration) ?? "TRUE")") }
    // What does not ring here must not ring on other machines.
    let action =
      isOver || isSkipped || isPaused ? "ACTION;\(AlarmDraft.silent)=DISPLAY:NONE" : "ACTION:DISPLAY"
    for lead in when.distances(alarm.content.time.rules.leads) {
      content.line("BEGIN:VALARM")
      content.line(action)
      content.line("TRIGGER:\(lead)")
      content.line("DESCRIPTION", text: alarm.content.label ?? alarm.content.substitute)
      content.line("END:VALARM")
    }
    content.line(isToDo ? "END:VTODO" : "END:VEVENT")
    return Entry(text: content.text, message: message)
  }

  private static func duration(_ span: TimeSpan) -> String {
    "\(CalendarDistance(secondsOnClock: Int((span.microseconds + 999_999) / 1_000_000)))"
  }

  private func writeTexts(_ written: CalendarAlarm, to content: inout ContentWriter) {
    let alarm = written.content
    content.line("SUMMARY", text: alarm.label ?? alarm.substitute)
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
      switch written.manner[field] {
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
    switch alarm.content.time.timing {
    case .instant where alarm.isUntimed:
      let end = alarm.state == .paused ? alarm.remaining.map { context.now + $0 } : nil
      return EntryMoments(start: end.map { CalendarMoment($0) })
    case .instant(let moment): return EntryMoments(start: CalendarMoment(moment))
    case .civil(let civil, let name?):
      return EntryMoments(start: CalendarMoment(civil, on: try zone(named: name)))
    case .civil(let civil, nil): return EntryMoments(start: CalendarMoment(civil, on: nil))
    case .every(let time, let name):
      return try moments(alarm, of: time, floats: name == nil && time.zoneName == nil)
    }
  }

  private func moments(
    _ alarm: CalendarAlarm, of time: RecurringTime, floats: Bool
  ) throws(ZoneError) -> EntryMoments {
    let bounds = alarm.content.time
    let zone = try zone(named: time.zoneName ?? alarm.followedZone)
    let ringing = context.first(of: time, from: bounds.from, leads: bounds.rules.leads, in: zone)
    // What has not begun is shown, even if its leads are over.
    let next = context.first(of: time, from: bounds.from, leads: [], in: zone)
    guard let first = [ringing, next].compactMap(\.self).min(), bounds.until.map({ first <= $0 }) ?? true,
      alarm.state != .rung, alarm.state != .missed, alarm.state != .skipped
    else { return EntryMoments(start: alarm.lastMoment.map { CalendarMoment($0) }) }
    // A rule begins where it began.
    var civil = zone.civil(at: first)
    if case .rule(let set) = time { civil = set.begun.start }
    var start = CalendarMoment(civil, on: floats ? nil : zone)
    if case .interval(let interval) = time, interval.isElapsed { start = CalendarMoment(first) }
    var recurrence = EntryRecurrence(time: time, zone: zone, first: first, start: start, bounds: bounds)
    var shown: Instant? = first
    while let count = recurrence.bounds.count, let ringing, let moment = shown, moment < ringing {
      recurrence.bounds.count = count + 1
      shown = time.next(after: moment, in: zone)
    }
    return EntryMoments(start: start, recurrence: recurrence)
  }

  /// The zone that an alarm follows; the caller's own if it names none.
  private func zone(named name: String?) throws(ZoneError) -> Zone {
    guard let name, name != context.zone.identifier else { return context.zone }
    return try context.loadZone(name)
  }
}
