import EggTime

/// The columns of a table: the one list that selects, inserts, undo's images and the check of the schema are made from.
/// What is selected by ``list(_:of:)`` is read by name, see ``ColumnReading``.
protocol Column: CaseIterable, Hashable, RawRepresentable, Sendable where RawValue == Int {}

extension Column {
  /// As the schema has it.
  var name: String { "\(self)" }

  /// The columns as SQL has them in a list, of the table of that name or alias.
  static func list(_ columns: [Self] = Array(allCases), of table: String? = nil) -> String {
    columns.map { (table.map { $0 + "." } ?? "") + "\"\($0.name)\"" }.joined(separator: ", ")
  }
}

/// The table `alarm`.
enum AlarmColumn: Int, Column {
  case number, id, label, category, eggs, group, position, summary, body, icon, kind, span, instant, civil,
    zone,
    floats, calendarEvent, ifMissed, until, count, expression, forcedKind, readingZone, state, overAt,
    remaining, key,
    keyedRequest, createdAt, modifiedAt, doneAt, clock, due, zoneDue, pausedDue, anniversary, doneClock,
    doneDue,
    interval, beginsAt

  /// How many there are.
  static let width = allCases.count

  /// How a change sets a column, and undo takes that back.
  enum Role {
    /// One by one.
    case plain
    /// Together: what an alarm waits for.
    case timing
    /// Not at all, but for its key, which an alarm may lose to another.
    case own
  }

  var role: Role {
    switch self {
    case .label, .category, .eggs, .group, .position, .summary, .body, .icon, .ifMissed, .anniversary,
      .modifiedAt:
      .plain
    case .kind, .span, .instant, .civil, .zone, .floats, .calendarEvent, .interval, .beginsAt, .until, .count,
      .expression, .forcedKind, .readingZone, .state, .overAt, .remaining, .clock, .due, .zoneDue, .pausedDue,
      .doneAt, .doneClock, .doneDue:
      .timing
    case .number, .id, .key, .keyedRequest, .createdAt: .own
    }
  }

  /// The columns of that role, in their order.
  static func all(_ role: Role) -> [AlarmColumn] { allCases.filter { $0.role == role } }
}

/// The table `occurrence`.
enum OccurrenceColumn: Int, Column {
  case id, alarm, dueAt, outcome, missedCount, firedAt, journaledAt, shownAt, dismissedAt, snoozedUntil,
    clock, due,
    lateness, lateReason, bubble, bubbleServer

  /// How many there are.
  static let width = allCases.count

  /// What a person's answer to a ring sets.
  static let answer: [OccurrenceColumn] = [.dismissedAt, .snoozedUntil, .clock, .due]
}

/// The table `alarm_group`.
enum GroupColumn: Int, Column {
  case id, name, color, icon, createdAt, modifiedAt
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
