import EggProtocol
import ICalendar

extension CalendarAlarm {
  init(_ alarm: WireAlarm) {
    let once = Timing.once(alarm.instant ?? alarm.shownMoment)
    self.init(
      identity: alarm.id?.description ?? "\(alarm.number)",
      timing: alarm.recurringTime.map(Timing.every) ?? alarm.civil.map(Timing.civil) ?? once,
      state: alarm.state)
    (label, summary, body, note) = (alarm.label, alarm.summary, alarm.body, alarm.note)
    (category, eggs, group) = (alarm.category, alarm.eggs, alarm.group)
    (zone, floats) = (alarm.zone, alarm.floats == true)
    (from, until, count) = (alarm.from, alarm.until, alarm.count)
    (moment, lastMoment) = (alarm.shownMoment, alarm.latest?.dueAt ?? alarm.due)
    (createdAt, modifiedAt) = (alarm.createdAt, alarm.modifiedAt)
    (isDone, doneAt) = (alarm.done, alarm.doneAt)
  }
}
