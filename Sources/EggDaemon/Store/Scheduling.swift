import Alarms
import EggTime
import GRDB

extension StoreTransaction {
  /// Makes a new alarm at the end of the list, or finds the one that the same request made before.
  func schedule(_ new: NewAlarm, at now: ClockReading) throws -> ChangeOutcome {
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
    // what the step has read for the subscribers
    outcome.alarms = try [log.changes.last?.alarms?.last?.new ?? alarm(number)].compactMap { $0 }
    return outcome
  }

  private func insert(_ new: NewAlarm, at now: Instant) throws -> Int64 {
    let last = try database.cachedStatement(
      sql: "SELECT position FROM alarm ORDER BY position DESC LIMIT 1"
    ).first { int($0, 0) ?? 0 }
    let (timing, due) = try settled(new.timing, due: new.due, at: now)
    let id = AlarmID()
    let (position, overflow) = (last ?? 0).addingReportingOverflow(Self.positionStep)
    var values: [(any StatementBinding)?] = [
      id.description, new.label, new.category.rawValue, new.eggs,
      try new.group.map(groupID), overflow ? last : position,
    ]
    values += [new.summary, new.body, new.icon]
    values += timing.values
    values += [new.expression, new.forcedKind?.rawValue, new.readingZone, new.key, new.keyedRequest]
    values += [now.microseconds, due.clock.rawValue, due.microseconds]
    values += [RecurrenceRows.column(new.ifMissed), new.until?.microseconds, new.count]
    values += [new.anniversary?.description]
    try database.cachedStatement(
      sql: """
        INSERT INTO alarm (id, label, category, eggs, "group", position, summary, body, icon, kind, span, instant, civil,
          zone, floats, calendarEvent, expression, forcedKind, readingZone, key, keyedRequest, createdAt, clock,
          due, ifMissed, until, count, anniversary)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
          ?)
        """
    ).run(values)
    let number = database.lastInsertedRowID
    log.fresh[number] = moments(of: new, due, id, number)
    return number
  }

  /// What a new alarm waits for, as it would be read; nil where that takes more than the alarm itself.
  private func moments(of new: NewAlarm, _ due: DuePoint, _ id: AlarmID, _ number: Int64) -> AlarmMoments? {
    guard new.timing.kind != .every, new.group == nil else { return nil }
    let card = AlarmCard(
      id: id, label: new.label, summary: new.summary, body: new.body, icon: new.icon,
      expression: new.expression, recurs: false)
    let entry = HeadEntry(
      key: EntryKey(number: number, occurrence: 0), due: clocks.present(due), card: card,
      isPastByZone: false, ifMissed: new.ifMissed, recurrence: nil)
    return AlarmMoments(number: number, waiting: [entry], ringing: [])
  }
}
