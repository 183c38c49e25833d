import Alarms
import EggTime
import GRDB

/// How rows become alarms. Another program may have written a row: what can't be read falls back, never
/// traps.
struct AlarmRows {
  let clocks: BootClocks
  /// What the rows have that become alarms.
  var parts = AlarmParts.all

  /// Alarms with the occurrence that people mean; the columns that ``alarm(_:)`` reads. `a` and `o` in conditions.
  static let select = """
    SELECT a.number, a.id, a.label, a.category, a.eggs, a.position, a.summary, a.body, a.icon, a.kind, a.span,
      a.instant, a.civil, a.zone, a.floats, a.expression, a.forcedKind, a.readingZone, a.state, a.key,
      a.createdAt, a.modifiedAt, a.doneAt, a.clock, a.due, \(occurrenceColumns),
      a.calendarEvent, a.ifMissed, a.until, a.count, a.remaining,
      (SELECT name FROM alarm_group WHERE id = a."group"), a.anniversary, a.doneClock, a.doneDue,
      a.interval, a.beginsAt
    \(from)
    """

  /// The same with the columns that ``listed(_:)`` reads.
  static let selectListed = """
    SELECT a.number, a.label, a.category, a.eggs, (SELECT name FROM alarm_group WHERE id = a."group"), a.position,
      a.remaining, a.state, a.doneAt, a.doneClock, a.doneDue, a.clock, a.due, \(occurrenceColumns),
      a.kind
    \(from)
    """

  /// The rows that ``parts`` asks for.
  var select: String { parts == .all ? Self.select : Self.selectListed }

  /// `select` from here on: each alarm beside the occurrence that nobody has answered, else its latest. A recurring
  /// alarm can ring while a later occurrence was missed or skipped.
  static let from = """
    FROM alarm a LEFT JOIN occurrence o ON o.id = coalesce(
      (SELECT id FROM occurrence WHERE alarm = a.number AND outcome = 'rung' AND dismissedAt IS NULL
        ORDER BY id DESC LIMIT 1),
      (SELECT id FROM occurrence WHERE alarm = a.number ORDER BY id DESC LIMIT 1))
    """

  /// The columns that ``occurrence(_:at:)`` reads.
  static let occurrenceColumns = """
    o.id, o.dueAt, o.outcome, o.missedCount, o.firedAt, o.journaledAt, o.shownAt, o.dismissedAt,
    o.snoozedUntil, o.clock, o.due, o.lateness, o.lateReason, o.bubble, o.bubbleServer
    """

  /// The icon of a notification: the alarm's own, else its group's.
  static func icon(of alarm: String) -> String {
    "coalesce(\(alarm).icon, (SELECT icon FROM alarm_group WHERE id = \(alarm).\"group\"))"
  }

  /// ``Alarm/phase`` in SQL.
  static let phase = """
    CASE WHEN o.outcome = 'rung' AND o.dismissedAt IS NULL
        THEN CASE WHEN o.snoozedUntil IS NULL THEN 'ringing' ELSE 'snoozed' END
      WHEN a.state IN ('scheduled', 'paused') THEN a.state
      ELSE coalesce(o.outcome, iif(a.doneAt IS NULL, 'rung', 'skipped')) END
    """

  /// A row of what ``parts`` asks for.
  func read(_ row: some ColumnReading) -> Alarm { parts == .all ? alarm(row) : listed(row) }

  /// A row of ``selectListed``.
  private func listed(_ row: some ColumnReading) -> Alarm {
    Alarm(
      number: int(row, 0) ?? 0, id: .zero, label: text(row, 1),
      category: text(row, 2).flatMap { Category(rawValue: $0) } ?? .other, eggs: int(row, 3) ?? 1,
      group: text(row, 4), position: int(row, 5) ?? 0, timing: Self.timing(listed: text(row, 28)),
      expression: "", readingZone: "", remaining: int(row, 6).map { TimeSpan(microseconds: $0) },
      state: text(row, 7).flatMap { Alarm.StoredState(rawValue: $0) } ?? .over,
      createdAt: Instant(microseconds: 0), doneAt: instant(row, 8), doneDue: point(row, at: 9),
      due: point(row, at: 11), latest: int(row, 13) == nil ? nil : occurrence(row, at: 13))
  }

  /// Some timing of the kind that a row has.
  private static func timing(listed kind: String?) -> Timing {
    switch kind.flatMap({ Timing.Kind(rawValue: $0) }) {
    case .in: .countdown(.zero)
    case .every: someRecurring
    case .at, nil: someInstant
    }
  }

  private static let someInstant = Timing.instant(Instant(microseconds: 0))
  private static let someRecurring =
    CalendarEvent("*-*-* 00:00:00").map { Timing.every(.event($0), zone: "", floats: false) } ?? someInstant

  /// A row of ``select``.
  func alarm(_ row: some ColumnReading) -> Alarm {
    let due = point(row, at: 23)
    return Alarm(
      number: int(row, 0) ?? 0, id: text(row, 1).flatMap { AlarmID($0) } ?? AlarmID(), label: text(row, 2),
      category: text(row, 3).flatMap { Category(rawValue: $0) } ?? .other, eggs: int(row, 4) ?? 1,
      group: text(row, 45), position: int(row, 5) ?? 0, summary: text(row, 6), body: text(row, 7),
      icon: text(row, 8),
      timing: timing(row, due: due), expression: text(row, 15) ?? "",
      forcedKind: text(row, 16).flatMap { Timing.Kind(rawValue: $0) }, readingZone: text(row, 17) ?? "UTC",
      ifMissed: RecurrenceRows.missedPolicy(text(row, 41)), from: instant(row, 50), until: instant(row, 42),
      count: int(row, 43),
      remaining: int(row, 44).map { TimeSpan(microseconds: $0) },
      state: text(row, 18).flatMap { Alarm.StoredState(rawValue: $0) } ?? .over, key: text(row, 19),
      anniversary: text(row, 46).flatMap { CivilDate($0) },
      createdAt: instant(row, 20) ?? Instant(microseconds: 0), modifiedAt: instant(row, 21),
      doneAt: instant(row, 22), doneDue: point(row, at: 47), due: due,
      latest: int(row, 25) == nil ? nil : occurrence(row, at: 25))
  }

  /// The columns of ``occurrenceColumns``, of which the first has that index.
  func occurrence(_ row: some ColumnReading, at start: Int) -> Occurrence {
    Occurrence(
      id: int(row, start) ?? 0, dueAt: instant(row, start + 1) ?? Instant(microseconds: 0),
      outcome: text(row, start + 2).flatMap { Occurrence.Outcome(rawValue: $0) } ?? .missed,
      missedCount: int(row, start + 3), firedAt: instant(row, start + 4),
      journaledAt: instant(row, start + 5),
      shownAt: instant(row, start + 6), dismissedAt: instant(row, start + 7),
      snoozedUntil: instant(row, start + 8), due: point(row, at: start + 9),
      lateness: int(row, start + 11).map { TimeSpan(microseconds: $0) },
      lateReason: text(row, start + 12).map { LateReason(rawValue: $0) ?? .other },
      bubble: int(row, start + 13).flatMap { UInt32(exactly: $0) }, bubbleServer: text(row, start + 14))
  }

  private func timing(_ row: some ColumnReading, due: DuePoint?) -> Timing {
    if let span = int(row, 10) { return .countdown(TimeSpan(microseconds: span)) }
    if let instant = instant(row, 11) { return .instant(instant) }
    if let civil = text(row, 12).flatMap({ CivilDateTime($0) }), let zone = text(row, 13) {
      return .civil(civil, zone: zone, floats: int(row, 14) != 0)
    }
    if let time = RecurringTime(event: text(row, 40), interval: text(row, 49)), let zone = text(row, 13) {
      return .every(time, zone: zone, floats: int(row, 14) != 0)
    }
    return .instant(Instant(microseconds: due?.clock == .wall ? due?.microseconds ?? 0 : int(row, 20) ?? 0))
  }

  private func point(_ row: some ColumnReading, at index: Int) -> DuePoint? {
    int(row, index + 1).map {
      clocks.present(DuePoint(clock: ClockID(rawValue: int(row, index) ?? 0), microseconds: $0))
    }
  }

  private func instant(_ row: some ColumnReading, _ index: Int) -> Instant? {
    int(row, index).map { Instant(microseconds: $0) }
  }
}

extension Timing {
  /// The columns `kind`, `span`, `instant`, `civil`, `zone`, `floats`, `calendarEvent` and `interval`.
  var values: [(any StatementBinding)?] {
    switch self {
    case .countdown(let span): [kind.rawValue, span.microseconds, nil, nil, nil, 0, nil, nil]
    case .instant(let instant): [kind.rawValue, nil, instant.microseconds, nil, nil, 0, nil, nil]
    case .civil(let civil, let zone, let floats):
      [kind.rawValue, nil, nil, civil.description, zone, floats ? 1 : 0, nil, nil]
    case .every(let time, let zone, let floats):
      [kind.rawValue, nil, nil, nil, zone, floats ? 1 : 0, time.event, time.interval]
    }
  }
}

extension AlarmRows {
  /// An alarm's columns by their names, those that it has; the group is named, not keyed.
  static func columns(of alarm: Alarm) -> [String: (any StatementBinding)?] {
    var columns: [String: (any StatementBinding)?] = [
      "number": alarm.number > 0 ? alarm.number : nil, "id": alarm.id.description, "label": alarm.label,
      "category": alarm.category.rawValue, "eggs": alarm.eggs, "group": alarm.group,
      "position": alarm.position,
      "summary": alarm.summary, "body": alarm.body, "icon": alarm.icon, "kind": alarm.timing.kind.rawValue,
      "floats": 0, "ifMissed": RecurrenceRows.column(alarm.ifMissed), "until": alarm.until?.microseconds,
      "beginsAt": alarm.from?.microseconds,
      "count": alarm.count, "expression": alarm.expression, "forcedKind": alarm.forcedKind?.rawValue,
      "readingZone": alarm.readingZone, "state": alarm.state.rawValue,
      "remaining": alarm.remaining?.microseconds, "key": alarm.key,
      "anniversary": alarm.anniversary?.description, "createdAt": alarm.createdAt.microseconds,
      "modifiedAt": alarm.modifiedAt?.microseconds, "doneAt": alarm.doneAt?.microseconds,
      "doneClock": alarm.doneDue?.clock.rawValue, "doneDue": alarm.doneDue?.microseconds,
      "clock": alarm.due?.clock.rawValue ?? 0, "due": alarm.due?.microseconds,
    ]
    switch alarm.timing {
    case .countdown(let span): columns["span"] = span.microseconds
    case .instant(let instant): columns["instant"] = instant.microseconds
    case .civil(let civil, let zone, let floats):
      columns["civil"] = civil.description
      (columns["zone"], columns["floats"]) = (zone, floats ? 1 : 0)
    case .every(let time, let zone, let floats):
      (columns["calendarEvent"], columns["interval"]) = (time.event, time.interval)
      (columns["zone"], columns["floats"]) = (zone, floats ? 1 : 0)
    }
    return columns
  }
}
