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

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.schedule(alarm, at: request.readAt)
  }
}

extension StoreTransaction {
  /// Creates the alarm, or finds the one that the same request created.
  fileprivate func schedule(_ new: NewAlarm, at now: ClockReading) throws -> ChangeOutcome {
    var outcome = ChangeOutcome(sequence: 0)
    var released: [Int64] = []
    if let key = new.key, let holder = try KeyRow.find(key, in: database) {
      if holder.isLive(at: now.wall) {
        guard holder.request == new.keyedRequest else {
          throw ChangeError.keyInUse(key: key, number: holder.number)
        }
        outcome.existed = true
        outcome.alarms = try [alarm(holder.number)].compactMap { $0 }
        return outcome
      }
      released = [holder.number]
    }
    var number: Int64 = 0
    try step(released) {
      for old in released {
        try database.cachedStatement(
          sql: "UPDATE alarm SET key = NULL, keyedRequest = NULL WHERE number = ?"
        ).run([old])
      }
      number = try insert(new, at: now.wall)
      return [number]
    }
    outcome.alarms = [log.fresh[number]?.alarm].compactMap { $0 }
    return outcome
  }

  private static let insertAlarm = """
    INSERT INTO alarm (\(AlarmColumn.list())) VALUES (\(AlarmColumn.allCases.map { _ in "?" }.joined(separator: ", ")))
    """

  private func insert(_ new: NewAlarm, at now: Instant) throws -> Int64 {
    let last =
      try database.cachedStatement(sql: "SELECT position FROM alarm ORDER BY position DESC LIMIT 1")
      .first { int($0, 0) ?? 0 } ?? 0
    let group = try new.group.flatMap { try new.isGroupOptional ? groupIDIfAny($0) : groupID($0) }
    let (timing, due) = try settled(new.timing, due: new.due, from: new.from, at: now)
    let id = AlarmID(madeAt: now)
    let (sum, overflow) = last.addingReportingOverflow(Self.positionStep)
    let position = overflow ? last : sum
    var alarm = Alarm(
      number: 0, id: id, label: new.label, category: new.category, eggs: new.eggs,
      group: group == nil ? nil : new.group, position: position, summary: new.summary, body: new.body,
      icon: new.icon,
      note: new.note, sound: new.sound, insist: new.insist, run: new.run, wake: new.wake,
      timing: timing, expression: new.expression, forcedKind: new.forcedKind, readingZone: new.readingZone,
      ifMissed: new.ifMissed, from: new.from, until: new.until, count: new.count, key: new.key,
      anniversary: new.anniversary,
      createdAt: now, due: due)
    try database.cachedStatement(sql: Self.insertAlarm).run { values in
      for column in AlarmColumn.allCases {
        switch column {
        case .group: values.add(group)
        case .keyedRequest: values.add(new.keyedRequest)
        case .calledAt: values.add(now.microseconds)
        default: values.add(column, of: alarm)
        }
      }
    }
    alarm.number = database.lastInsertedRowID
    alarm.due = clocks.present(due)
    log.fresh[alarm.number] = NewRow(alarm)
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
