import Alarms
import EggTime
import GRDB

/// The person's own mark. It cancels what a one-shot waits for; of a recurring alarm it marks the last occurrence, until
/// the next one rings.
extension StoreTransaction {
  func markDone(_ selection: Selection, _ done: Bool, at now: ClockReading) throws -> ChangeOutcome {
    var restored: [Int64] = []
    return try changeWaiting(
      selection, where: done ? "doneAt IS NULL" : "doneAt IS NOT NULL", keepsOthers: true, at: now.wall
    ) { alarm in
      if done {
        try setDone(alarm, at: now.wall)
      } else {
        try clearDone(alarm)
        if alarm.timing.kind != .every { restored.append(alarm.number) }
      }
      return true
    } afterwards: {
      _ = try bringToPresent(restored, at: now)
    }
  }

  private func setDone(_ alarm: Alarm, at moment: Instant) throws {
    try endRinging(alarm.number, at: moment)
    let isRecurring = alarm.timing.kind == .every
    try database.cachedStatement(
      sql: isRecurring
        ? "UPDATE alarm SET doneAt = ?1 WHERE number = ?2"
        : """
        UPDATE alarm SET doneAt = ?1, doneClock = clock, doneDue = due, clock = 0, due = NULL, zoneDue = NULL,
          overAt = iif(state = 'over', overAt, ?1), state = 'over' WHERE number = ?2
        """
    ).execute(arguments: [moment.microseconds, alarm.number])
  }

  /// What a one-shot waited for is restored.
  private func clearDone(_ alarm: Alarm) throws {
    try database.cachedStatement(
      sql: """
        UPDATE alarm SET doneAt = NULL, doneClock = NULL, doneDue = NULL,
          state = CASE WHEN doneDue IS NOT NULL THEN 'scheduled' WHEN remaining IS NOT NULL THEN 'paused' ELSE state END,
          overAt = iif(doneDue IS NULL AND remaining IS NULL, overAt, NULL),
          clock = coalesce(doneClock, clock), due = coalesce(doneDue, due)
        WHERE number = ?
        """
    ).execute(arguments: [alarm.number])
  }

  /// What an alarm waits for and is past by now does not ring: it is recorded as missed, and a recurring one goes on.
  ///
  /// - Returns: Whether anything was.
  func missPast(_ number: Int64, at now: ClockReading) throws -> Bool {
    guard let alarm = try alarm(number), alarm.state == .scheduled,
      let due = alarm.due.map({ wall($0, now) }),
      due <= now.wall
    else { return false }
    let course = recurrence(of: alarm)?.course(from: due, to: now.wall)
    let elapsed = course?.elapsed ?? 1
    try database.cachedStatement(
      sql: "UPDATE alarm SET clock = 0, due = ?, zoneDue = NULL, count = max(count - ?, 0) WHERE number = ?"
    ).execute(arguments: [course?.next?.microseconds, elapsed, number])
    try noteOccurrence(.missed, of: number, dueAt: due, elapsed: elapsed, at: now.wall)
    try settle(number, at: now.wall)
    return true
  }
}
