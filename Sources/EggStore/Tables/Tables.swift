import Alarms
import EggTime
import GRDB
import Ringing

/// The tables of a transaction, and the clocks and zones by which their moments are read.
struct Tables {
  let database: Database
  let clocks: BootClocks
  let zones: ZonesInUse

  var alarms: AlarmTable { AlarmTable(database: database, rows: AlarmRows(clocks: clocks)) }
  var occurrences: OccurrenceTable { OccurrenceTable(database: database) }
  var groups: GroupTable { GroupTable(database: database) }
  var history: HistoryTable { HistoryTable(database: database) }
  var undo: UndoLog { UndoLog(database: database) }
  var daysOff: DaysOffTable { DaysOffTable(database: database, zones: zones) }
  var resolver: ZoneResolver { ZoneResolver(tables: self) }

  func images(of holder: Int64) -> Images { Images(database: database, holder: holder) }

  /// Deletes alarms; their occurrences go with them.
  func delete(_ numbers: [Int64], at moment: Instant) throws {
    guard !numbers.isEmpty else { return }
    try history.keep(numbers, at: moment)
    for rows in ["occurrence WHERE alarm", "alarm WHERE number"] {
      try database.run("DELETE FROM \(rows) IN (SELECT value FROM json_each(?))", [numbers.jsonList])
    }
  }

  func wall(_ due: DuePoint, _ now: ClockReading) -> Instant {
    Instant(microseconds: due.microseconds)
      + TimeSpan(microseconds: clocks.offset(of: due.clock, now: now))
  }

  /// The scheduler's view of how the alarm goes on; nil for a one-shot that has no leads or waits for nothing.
  func recurrence(of alarm: Alarm) -> Recurrence? {
    switch alarm.timing {
    case .every(let time, let name, let floats):
      guard let zone = zones.zone(name, floats: floats) else { return nil }
      return Recurrence(
        .every(time), zone: zone, from: alarm.from, until: alarm.until, count: alarm.count,
        leads: alarm.rules.leads, quiet: zones.quiet(alarm.rules))
    case .civil(_, let name, let floats): return once(alarm, zones.zone(name, floats: floats))
    case .countdown, .instant: return once(alarm, nil)
    }
  }

  private func once(_ alarm: Alarm, _ zone: Zone?) -> Recurrence? {
    alarm.due.flatMap {
      RecurrenceRows.once(Instant(microseconds: $0.microseconds) + alarm.ahead, alarm.rules, zone)
    }
  }

  /// What that clock shows.
  func now(_ clock: ClockID, _ now: ClockReading) -> Instant {
    clock == clocks.current ? Instant(microseconds: now.boot) : now.wall
  }
}

extension DuePoint {
  static func + (due: DuePoint, span: TimeSpan) -> DuePoint {
    DuePoint(clock: due.clock, microseconds: (Instant(microseconds: due.microseconds) + span).microseconds)
  }
}

extension [Int64] {
  /// For `json_each`.
  var jsonList: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
