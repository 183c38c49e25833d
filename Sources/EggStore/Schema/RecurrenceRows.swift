import Alarms
import EggTime
import GRDB
import Ringing

/// Columns that hold an alarm's recurrence and policy for late rings.
enum RecurrenceRows {
  /// nil for a one-shot without leads, and for an unreadable time or zone: such an alarm still rings at its moment.
  ///
  /// - Parameter row: Begins with all columns of `alarm`. A `time` and a `zone` stand in for its own.
  static func recurrence(
    _ row: some ColumnReading, zones: ZonesInUse, time: RecurringTime? = nil, zone: Zone? = nil
  ) -> Recurrence? {
    let zone = zone ?? row.text(.zone).flatMap { zones.zone($0, floats: row.int(.floats) != 0) }
    guard let time = time ?? zones.time(row) else {
      return row.instant(.due).flatMap { once($0 + ahead(row), self.rules(row), zone) }
    }
    guard let zone else { return nil }
    let rules = self.rules(row)
    return Recurrence(
      .every(time), zone: zone, from: row.instant(.beginsAt), until: row.instant(.until),
      count: row.int(.count),
      leads: rules.leads, quiet: zones.quiet(rules))
  }

  /// The rings of a one-shot with leads.
  ///
  /// - Parameter zone: nil for a moment that does not depend on one: its days have 24 hours.
  static func once(_ moment: Instant, _ rules: MomentRules, _ zone: Zone?) -> Recurrence? {
    guard !rules.leads.isEmpty else { return nil }
    return Recurrence(.once(moment), zone: zone ?? .utc, leads: rules.leads)
  }

  /// Unreadable values of another program are none.
  static func rules(_ row: some ColumnReading) -> MomentRules {
    var rules = MomentRules(
      leads: lines(row.text(.leads)).compactMap { Lead($0) }.sorted(), except: lines(row.text(.exceptOn)),
      onlyOn: lines(row.text(.onlyOn)))
    if let skips = row.text(.skips).flatMap({ DaySet($0) }) { rules.skips = skips }
    return rules
  }

  static func ahead(_ row: some ColumnReading) -> TimeSpan { TimeSpan(microseconds: row.int(.ahead) ?? 0) }

  private static func lines(_ text: String?) -> [String] {
    text?.split(separator: "\n").map { String($0) } ?? []
  }

  static func column(_ ahead: TimeSpan) -> Int64? { ahead == .zero ? nil : ahead.microseconds }

  static func column(_ leads: [Lead]) -> String? { column(leads.map(\.description)) }

  static func column(_ names: [String]) -> String? { names.isEmpty ? nil : names.joined(separator: "\n") }

  static func column(_ days: DaySet) -> String? { days.isEmpty ? nil : days.description }

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
