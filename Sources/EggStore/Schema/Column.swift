import Alarms
import EggTime

/// The columns of a table: the one list behind selects, inserts, undo's images and the schema check. Read
/// columns selected by ``list(_:of:)`` by name, see ``ColumnReading``.
protocol Column: CaseIterable, Hashable, RawRepresentable, Sendable where RawValue == Int {
  /// Of all cases, in their order. Swift takes some microseconds to name one.
  static var names: [String] { get }
}

extension Column {
  var name: String { Self.names[rawValue] }

  /// The column list in SQL, qualified by `table` if given.
  static func list(_ columns: [Self] = Array(allCases), of table: String? = nil) -> String {
    columns.map { (table.map { $0 + "." } ?? "") + "\"\($0.name)\"" }.joined(separator: ", ")
  }

  /// Whether two rows have the same values in these, in SQL.
  static func same(_ columns: [Self], _ a: String, _ b: String) -> String {
    "(\(list(columns, of: a))) IS (\(list(columns, of: b)))"
  }
}

enum AlarmColumn: Int, Column {
  case number, id, label, category, eggs, group, position, summary, body, icon, kind, span, instant, civil,
    zone,
    floats, calendarEvent, ifMissed, until, count, expression, forcedKind, readingZone, state, overAt,
    remaining, key,
    keyedRequest, createdAt, modifiedAt, doneAt, clock, due, zoneDue, pausedDue, anniversary, doneClock,
    doneDue,
    interval, beginsAt, sound, note, insist, run, wake, rule, calledAt, wrongUntil, leads, skips,
    exceptOn, onlyOn, ahead, unansweredAfter, runUnanswered

  static let width = allCases.count
  static let names = allCases.map { "\($0)" }

  /// How changes set a column and undo restores it.
  enum Role {
    /// One by one.
    case plain
    /// Together: what an alarm waits for.
    case timing
    /// Never, except for the key, which an alarm may lose to another.
    case own
  }

  var role: Role {
    switch self {
    case .label, .category, .eggs, .group, .position, .summary, .body, .icon, .sound, .note, .insist, .run,
      .wake, .unansweredAfter, .runUnanswered, .ifMissed, .anniversary, .modifiedAt:
      .plain
    case .kind, .span, .instant, .civil, .zone, .floats, .calendarEvent, .interval, .rule, .beginsAt, .until,
      .count,
      .expression, .forcedKind, .readingZone, .state, .overAt, .remaining, .clock, .due, .zoneDue, .pausedDue,
      .doneAt, .doneClock, .doneDue, .calledAt, .leads, .skips, .exceptOn, .onlyOn, .ahead:
      .timing
    case .number, .id, .key, .keyedRequest, .createdAt, .wrongUntil: .own
    }
  }

  static let manner: [(column: AlarmColumn, field: Manner.Field)] = Manner.fields.compactMap { field in
    allCases.first { $0.name == field.name }.map { ($0, field) }
  }

  static func all(_ role: Role) -> [AlarmColumn] { allCases.filter { $0.role == role } }
}

enum OccurrenceColumn: Int, Column {
  case id, alarm, dueAt, outcome, missedCount, firedAt, journaledAt, shownAt, dismissedAt, snoozedUntil,
    clock, due,
    lateness, lateReason, bubble, bubbleServer, hooks, ahead, civil, zone, zoneDue,
    unansweredClock, unansweredDue

  static let width = allCases.count
  static let names = allCases.map { "\($0)" }

  /// The user's answer to a ring.
  static let answer: [OccurrenceColumn] = [.dismissedAt, .snoozedUntil, .clock, .due, .civil, .zone]
  /// Set by it.
  static let answered = answer + [.unansweredClock, .unansweredDue]
}

enum GroupColumn: Int, Column {
  case id, name, color, icon, createdAt, modifiedAt

  static let names = allCases.map { "\($0)" }
}

/// What is kept of a deleted alarm's occurrence.
enum HistoryColumn: Int, Column {
  case place, id, alarm, alarmID, label, deletedAt, dueAt, outcome, missedCount, firedAt, journaledAt,
    shownAt,
    dismissedAt, lateness, lateReason

  static let names = allCases.map { "\($0)" }
}

extension ColumnReading {
  func int(_ column: AlarmColumn) -> Int64? { int(at: column.rawValue) }
  func text(_ column: AlarmColumn) -> String? { text(at: column.rawValue) }
  func instant(_ column: AlarmColumn) -> Instant? { instant(at: column.rawValue) }

  /// - Parameter start: The index of the table's first column.
  func int(_ column: OccurrenceColumn, from start: Int) -> Int64? { int(at: start + column.rawValue) }
  func text(_ column: OccurrenceColumn, from start: Int) -> String? { text(at: start + column.rawValue) }
  func instant(_ column: OccurrenceColumn, from start: Int) -> Instant? {
    instant(at: start + column.rawValue)
  }

  private func instant(at index: Int) -> Instant? { int(at: index).map { Instant(microseconds: $0) } }
}
