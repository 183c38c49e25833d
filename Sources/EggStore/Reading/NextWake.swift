import EggTime
import GRDB

extension AlarmStore {
  /// The next moment for which the machine is to wake, snoozes included; nil for none. On the wall clock as it is now.
  /// Any thread; answered on a thread of the readers.
  package func nextWake(_ completion: @escaping @Sendable (Result<Instant?, ReadError>) -> Void) {
    read(completion) { try $0.nextWake() }
  }
}

extension Reading {
  /// Each from a partial index, in its order.
  private static let moments = [
    "SELECT due FROM alarm WHERE wake = 1 AND due IS NOT NULL AND clock = ?1 AND due > ?2 ORDER BY due LIMIT 1",
    """
    SELECT o.due FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
    WHERE o.clock = ?1 AND o.due IS NOT NULL AND o.due > ?2 AND a.wake = 1 ORDER BY o.due LIMIT 1
    """,
  ]

  fileprivate func nextWake() throws -> Instant? {
    var next: Instant?
    for clock in try DueRows.clocksInUse(database) {
      let offset = TimeSpan(microseconds: rows.clocks.offset(of: clock, now: now))
      // What is due now rings now, although its record may be late.
      let present = (now.wall - offset).microseconds
      for sql in Self.moments {
        let statement = try database.cachedStatement(sql: sql)
        guard let due = try Int64.fetchOne(statement, arguments: [clock.rawValue, present]) else { continue }
        let moment = Instant(microseconds: due) + offset
        next = min(next ?? moment, moment)
      }
    }
    return next
  }
}
