import Alarms
import EggTime
import GRDB

/// What the columns of an alarm say of its recurring and of its being late.
enum RecurrenceRows {
  /// As ``recurrence(_:at:zones:)`` and ``missedPolicy(_:)`` read them, of the table `alarm`.
  static let columns = "calendarEvent, zone, floats, until, count, ifMissed"
  /// As many columns, for rows that are no alarm's own moment.
  static let none = "NULL, NULL, 0, NULL, NULL, NULL"

  /// nil for a one-shot, and where the event or its zone can't be read: it still rings at its moment.
  static func recurrence(_ row: some ColumnReading, at start: Int, zones: ZonesInUse) -> Recurrence? {
    guard let event = text(row, start).flatMap(zones.event), let name = text(row, start + 1),
      let zone = zones.zone(name, floats: int(row, start + 2) != 0)
    else { return nil }
    return Recurrence(
      event: event, zone: zone, until: int(row, start + 3).map { Instant(microseconds: $0) },
      count: int(row, start + 4))
  }

  /// The column `ifMissed`: NULL, `record`, or a number of microseconds.
  static func missedPolicy(_ text: String?) -> MissedPolicy {
    guard let text else { return .ring }
    return Int64(text).map { .ringWithin(TimeSpan(microseconds: $0)) } ?? .record
  }

  static func column(_ policy: MissedPolicy) -> String? {
    switch policy {
    case .ring: nil
    case .record: "record"
    case .ringWithin(let span): String(span.microseconds)
    }
  }
}
