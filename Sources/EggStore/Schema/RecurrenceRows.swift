import Alarms
import EggTime
import GRDB
import Ringing

/// Columns that hold an alarm's recurrence and policy for late rings.
enum RecurrenceRows {
  /// nil for a one-shot, and for an unreadable time or zone: such an alarm still rings at its moment.
  ///
  /// - Parameter row: Begins with all columns of `alarm`.
  static func recurrence(_ row: some ColumnReading, zones: ZonesInUse) -> Recurrence? {
    let time = zones.time(row)
    guard let time, let name = row.text(.zone), let zone = zones.zone(name, floats: row.int(.floats) != 0)
    else { return nil }
    return Recurrence(
      time: time, zone: zone, from: row.instant(.beginsAt), until: row.instant(.until), count: row.int(.count)
    )
  }

  /// The column `ifMissed`: NULL, `record`, or µs.
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
  /// From the columns `calendarEvent`, `interval` and `rule`, two of which are NULL; nil if unreadable.
  package init?(event: String?, interval: String?, rule: String? = nil) {
    if let text = interval {
      guard let interval = RecurringInterval(text) else { return nil }
      self = .interval(interval)
    } else if let text = rule {
      guard let set = RecurrenceSet(text) else { return nil }
      self = .rule(set)
    } else {
      guard let event = event.flatMap({ CalendarEvent($0) }) else { return nil }
      self = .event(event)
    }
  }

  var event: String? {
    if case .event(let event) = self { event.description } else { nil }
  }

  var interval: String? {
    if case .interval(let interval) = self { interval.description } else { nil }
  }

  var rule: String? {
    if case .rule(let set) = self { set.description } else { nil }
  }
}
