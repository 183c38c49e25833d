import Alarms
import EggProtocol
import EggTime
import ICalendar

extension CalendarEntry {
  /// The alarm to import; nil for a recurring entry that is over.
  func alarm(on local: Zone, at now: Instant) -> ImportedAlarm? {
    let timing = timing(on: local)
    guard let due = due ?? moment else { return nil }
    var alarm = Alarm(
      number: 0, id: id ?? AlarmID(), label: label, category: category, eggs: eggs, group: group, position: 0,
      manner: Manner(summary: summary, body: body, note: note), timing: timing, expression: expression,
      readingZone: local.identifier,
      from: from, until: until, count: count, createdAt: now, due: .wall(due))
    if isDone {
      alarm.doneAt = doneAt ?? now
      if moment != nil {
        alarm.state = .over
        alarm.doneDue = alarm.due
        alarm.due = nil
      }
    }
    return ImportedAlarm(alarm: WireAlarm(alarm) { Instant(microseconds: $0.microseconds) })
  }

  private func timing(on local: Zone) -> Alarms.Timing {
    switch timing {
    case .instant(let instant): .instant(instant)
    case .civil(let civil, let zone): .civil(civil, zone: zone ?? local.identifier, floats: zone == nil)
    case .every(let time, let zone): .every(time, zone: zone ?? local.identifier, floats: zone == nil)
    }
  }
}

extension CalendarAlarm {
  init(_ alarm: WireAlarm) {
    let once = Timing.once(alarm.instant ?? alarm.shownMoment)
    self.init(
      identity: alarm.id?.description ?? "\(alarm.number)",
      timing: alarm.recurringTime.map(Timing.every) ?? alarm.civil.map(Timing.civil) ?? once,
      state: alarm.state)
    label = alarm.label
    summary = alarm.summary
    body = alarm.body
    note = alarm.note
    category = alarm.category
    eggs = alarm.eggs
    group = alarm.group
    zone = alarm.zone
    floats = alarm.floats == true
    from = alarm.from
    until = alarm.until
    count = alarm.count
    moment = alarm.shownMoment
    lastMoment = alarm.latest?.dueAt ?? alarm.due
    createdAt = alarm.createdAt
    modifiedAt = alarm.modifiedAt
    isDone = alarm.done
    doneAt = alarm.doneAt
  }
}
