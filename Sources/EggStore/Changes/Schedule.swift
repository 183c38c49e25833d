import Alarms
import EggTime
import GRDB
import Ringing

/// Creates an alarm at the end of the list.
package struct ScheduleChange: Change {
  package var alarm: NewAlarm

  package init(_ alarm: NewAlarm) {
    self.alarm = alarm
  }

  package var kind: ChangeKind? { .schedule }
  package var isOneStatement: Bool { alarm.key == nil }

  /// Creates the alarm, or finds the one that the same request created.
  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (alarms, now) = (transaction.tables.alarms, request.readAt.wall)
    var outcome = ChangeOutcome(sequence: 0)
    var released: [Int64] = []
    if let key = alarm.key, let holder = try KeyRow.find(key, in: alarms.database) {
      if holder.isLive(at: now) {
        guard holder.request == alarm.keyedRequest else {
          throw ChangeError.keyInUse(key: key, number: holder.number)
        }
        outcome.existed = true
        outcome.alarms = try [alarms.read(holder.number)].compactMap { $0 }
        return outcome
      }
      released = [holder.number]
    }
    var number: Int64 = 0
    try transaction.step(released) {
      for old in released { try alarms.releaseKey(of: old) }
      number = try insert(in: transaction, at: now)
      return [number]
    }
    outcome.alarms = [transaction.log.fresh[number]?.alarm].compactMap { $0 }
    return outcome
  }

  private func insert(in transaction: StoreTransaction, at now: Instant) throws -> Int64 {
    let (new, tables) = (alarm, transaction.tables)
    let position = ListOrder.end(after: try tables.alarms.lastPosition() ?? 0)
    let group = try new.group.flatMap {
      try new.isGroupOptional ? tables.groups.idIfAny(of: $0) : tables.groups.id(of: $0)
    }
    let (timing, due) = try transaction.settled(new.timing, due: new.due, from: new.from, at: now)
    var alarm = Alarm(
      number: 0, id: AlarmID(madeAt: now), label: new.label, category: new.category, eggs: new.eggs,
      group: group == nil ? nil : new.group, position: position, summary: new.summary, body: new.body,
      icon: new.icon, note: new.note, sound: new.sound, insist: new.insist, run: new.run, wake: new.wake,
      timing: timing, expression: new.expression, forcedKind: new.forcedKind, readingZone: new.readingZone,
      ifMissed: new.ifMissed, from: new.from, until: new.until, count: new.count, key: new.key,
      anniversary: new.anniversary, createdAt: now, due: due)
    alarm.number = try tables.alarms.insert(alarm, group: group, keyedRequest: new.keyedRequest)
    alarm.due = tables.clocks.present(due)
    transaction.log.fresh[alarm.number] = NewRow(alarm)
    return alarm.number
  }
}

/// A new alarm as a read would return it. Reading a new row back costs as much as making it.
final class NewRow {
  let alarm: Alarm
  /// What it waits for; nil if that needs more than the alarm itself.
  let moments: AlarmMoments?

  init(_ alarm: Alarm) {
    self.alarm = alarm
    guard alarm.timing.kind != .every, alarm.group == nil, let due = alarm.due else {
      moments = nil
      return
    }
    let card = AlarmCard(
      id: alarm.id, label: alarm.label, summary: alarm.summary, body: alarm.body, icon: alarm.icon,
      expression: alarm.expression, recurs: false, category: alarm.category,
      note: alarm.note.map(AlarmCard.excerpt), sound: alarm.sound, insist: alarm.insist, run: alarm.run)
    let entry = HeadEntry(
      key: EntryKey(number: alarm.number, occurrence: 0), due: due, card: card, isPastByZone: false,
      ifMissed: alarm.ifMissed, recurrence: nil)
    moments = AlarmMoments(number: alarm.number, waiting: [entry], ringing: [], card: card)
  }
}
