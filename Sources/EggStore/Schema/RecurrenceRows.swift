import Alarms
import EggTime
import GRDB
import Ringing

/// What the columns of an alarm say of its recurring and of its being late.
enum RecurrenceRows {
  /// As ``recurrence(_:at:zones:)`` and ``missedPolicy(_:)`` read them, of the table `alarm`.
  static let columns = "calendarEvent, zone, floats, until, count, ifMissed, interval, beginsAt"
  /// As many columns, for rows that are no alarm's own moment.
  static let none = "NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL"

  /// nil for a one-shot, and where its time or its zone can't be read: it still rings at its moment.
  static func recurrence(_ row: some ColumnReading, at start: Int, zones: ZonesInUse) -> Recurrence? {
    let time = zones.time(event: text(row, start), interval: text(row, start + 6))
    guard let time, let name = text(row, start + 1),
      let zone = zones.zone(name, floats: int(row, start + 2) != 0)
    else { return nil }
    return Recurrence(
      time: time, zone: zone, from: int(row, start + 7).map { Instant(microseconds: $0) },
      until: int(row, start + 3).map { Instant(microseconds: $0) },
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

extension RecurringTime {
  /// What the columns `calendarEvent` and `interval` say, of which one is NULL; nil where that can't be read.
  package init?(event: String?, interval: String?) {
    if let text = interval {
      guard let interval = RecurringInterval(text) else { return nil }
      self = .interval(interval)
    } else {
      guard let event = event.flatMap({ CalendarEvent($0) }) else { return nil }
      self = .event(event)
    }
  }

  /// The column `calendarEvent`.
  var event: String? {
    if case .event(let event) = self { event.description } else { nil }
  }

  /// The column `interval`.
  var interval: String? {
    if case .interval(let interval) = self { interval.description } else { nil }
  }
}
