import Alarms
import EggTime
import GRDB
import Ringing

/// Turns rows into alarms. Another program may have written a row: unreadable values fall back and never
/// trap.
struct AlarmRows {
  let clocks: BootClocks
  /// See ``ListQuery/listedOnly``.
  var listedOnly = false

  /// Alarms with the group's name and the occurrence of ``from``; the columns that ``read(_:into:)`` reads.
  /// Conditions use `a` and `o`.
  static let select = select(AlarmColumn.list(of: "a"))
  /// ``select`` of the alarm with that number.
  static let selectOne = select + " WHERE a.number = ?"
  /// The same, with NULL for what no list shows.
  private static let selectListed = select(
    AlarmColumn.allCases.map { listed.contains($0) ? AlarmColumn.list([$0], of: "a") : "NULL" }
      .joined(separator: ", "))

  private static func select(_ columns: String) -> String {
    """
    SELECT \(columns), \(OccurrenceColumn.list(of: "o")),
      (SELECT name FROM alarm_group WHERE id = a."group")
    \(from)
    """
  }

  /// For the parts that are read.
  var select: String { listedOnly ? Self.selectListed : Self.select }

  private static let latest = AlarmColumn.width
  private static let groupName = AlarmColumn.width + OccurrenceColumn.width

  /// `select` from here on: each alarm beside its unanswered occurrence, else its latest. A recurring alarm
  /// can ring while a later occurrence was missed or skipped.
  static let from = "FROM alarm a \(latestBeside)"

  static let latestBeside = """
    LEFT JOIN occurrence o ON o.id = coalesce(
      (SELECT id FROM occurrence WHERE alarm = a.number AND outcome = 'rung' AND dismissedAt IS NULL
        ORDER BY id DESC LIMIT 1),
      (SELECT id FROM occurrence WHERE alarm = a.number ORDER BY id DESC LIMIT 1))
    """

  /// A notification's icon: the alarm's own, else its group's.
  static func icon(of alarm: String) -> String {
    "coalesce(\(alarm).icon, (SELECT icon FROM alarm_group WHERE id = \(alarm).\"group\"))"
  }

  /// What an ``AlarmCard`` needs beside the alarm's row: the icon and the group's name.
  static func card(of alarm: String) -> String {
    "\(icon(of: alarm)), (SELECT name FROM alarm_group WHERE id = \(alarm).\"group\")"
  }
  static let cardWidth = 2

  /// ``Alarm/phase`` in SQL.
  static let phase = """
    CASE WHEN o.outcome = 'rung' AND o.dismissedAt IS NULL
        THEN CASE WHEN o.snoozedUntil IS NULL THEN 'ringing' ELSE 'snoozed' END
      WHEN a.state IN ('scheduled', 'paused') THEN a.state
      WHEN a.doneDue IS NOT NULL THEN 'skipped'
      ELSE coalesce(o.outcome, iif(a.doneAt IS NULL AND a.kind <> 'every', 'rung', 'skipped')) END
    """

  /// Reads a row of ``select`` over another alarm: of what lists show, making one takes as long as its JSON.
  func read(_ row: some ColumnReading, into alarm: inout Alarm) {
    if listedOnly {
      alarm.manner.summary = row.text(.summary)
      alarm.timing = Self.timing(listed: row.text(.kind))
    } else {
      alarm = unlisted(row)
    }
    readListed(row, into: &alarm)
  }

  /// What ``read(_:into:)`` begins with: a placeholder timing, and nothing that no list shows.
  static let blank = Alarm(
    number: 0, id: .zero, position: 0, timing: someInstant, expression: "", readingZone: "",
    createdAt: Instant(microseconds: 0))

  /// The columns that are read of an alarm in a list.
  private static let listed: Set<AlarmColumn> = [
    .number, .label, .category, .eggs, .position, .summary, .kind, .leads, .exceptOn, .onlyOn, .skips,
    .remaining, .state, .doneAt, .doneClock, .doneDue, .clock, .due, .ahead,
  ]

  private func readListed(_ row: some ColumnReading, into alarm: inout Alarm) {
    alarm.number = row.int(.number) ?? 0
    alarm.label = row.text(.label)
    alarm.category = Self.category(row)
    alarm.eggs = row.int(.eggs) ?? 1
    alarm.group = row.text(at: Self.groupName)
    alarm.position = row.int(.position) ?? 0
    alarm.rules = RecurrenceRows.rules(row)
    alarm.remaining = row.int(.remaining).map { TimeSpan(microseconds: $0) }
    alarm.state = row.text(.state).flatMap { Alarm.StoredState(rawValue: $0) } ?? .over
    alarm.doneAt = row.instant(.doneAt)
    alarm.doneDue = point(row.int(.doneClock), row.int(.doneDue))
    alarm.due = due(row)
    alarm.ahead = RecurrenceRows.ahead(row)
    alarm.latest = row.int(.id, from: Self.latest) == nil ? nil : occurrence(row, at: Self.latest)
  }

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

  func alarm(_ row: some ColumnReading) -> Alarm {
    var alarm = unlisted(row)
    readListed(row, into: &alarm)
    return alarm
  }

  private func unlisted(_ row: some ColumnReading) -> Alarm {
    Alarm(
      number: 0, id: Self.id(row), position: 0, manner: Self.manner(row), timing: timing(row),
      expression: row.text(.expression) ?? "",
      forcedKind: row.text(.forcedKind).flatMap { Timing.Kind(rawValue: $0) },
      readingZone: row.text(.readingZone) ?? "UTC",
      ifMissed: RecurrenceRows.missedPolicy(row.text(.ifMissed)), from: row.instant(.beginsAt),
      until: row.instant(.until), count: row.int(.count), key: row.text(.key),
      anniversary: row.text(.anniversary).flatMap { CivilDate($0) },
      createdAt: row.instant(.createdAt) ?? Instant(microseconds: 0), modifiedAt: row.instant(.modifiedAt))
  }

  /// A row with all columns of `occurrence`, the first at index `start`.
  func occurrence(_ row: some ColumnReading, at start: Int = 0) -> Occurrence {
    Occurrence(
      id: row.int(.id, from: start) ?? 0,
      dueAt: row.instant(.dueAt, from: start) ?? Instant(microseconds: 0),
      ahead: TimeSpan(microseconds: row.int(.ahead, from: start) ?? 0),
      outcome: row.text(.outcome, from: start).flatMap { Occurrence.Outcome(rawValue: $0) } ?? .missed,
      missedCount: row.int(.missedCount, from: start), firedAt: row.instant(.firedAt, from: start),
      journaledAt: row.instant(.journaledAt, from: start), shownAt: row.instant(.shownAt, from: start),
      dismissedAt: row.instant(.dismissedAt, from: start),
      snoozedUntil: row.instant(.snoozedUntil, from: start),
      due: point(row.int(.clock, from: start), row.int(.due, from: start)),
      lateness: row.int(.lateness, from: start).map { TimeSpan(microseconds: $0) },
      lateReason: row.text(.lateReason, from: start).map { LateReason(rawValue: $0) ?? .other },
      bubble: row.int(.bubble, from: start).flatMap { UInt32(exactly: $0) },
      bubbleServer: row.text(.bubbleServer, from: start),
      hooks: row.text(.hooks, from: start)?.split(separator: "\n").compactMap { HookRun(line: $0) } ?? [])
  }

  static func manner(_ row: some ColumnReading) -> Manner {
    var manner = Manner()
    for (column, field) in AlarmColumn.manner {
      switch field.kind {
      case .text: manner[field] = row.text(column).map { .text($0) }
      // A span of 0 or less would never end.
      case .span: manner[field] = row.int(column).flatMap { try? field.checked(.number($0)) }
      case .flag: manner[field] = row.int(column) == 1 ? .flag(true) : nil
      }
    }
    return manner
  }

  fileprivate static func id(_ row: some ColumnReading) -> AlarmID {
    row.text(.id).flatMap { AlarmID($0) } ?? AlarmID()
  }

  fileprivate static func category(_ row: some ColumnReading) -> Category {
    row.text(.category).flatMap { Category(rawValue: $0) } ?? .other
  }

  private func due(_ row: some ColumnReading) -> DuePoint? { point(row.int(.clock), row.int(.due)) }

  private func point(_ clock: Int64?, _ microseconds: Int64?) -> DuePoint? {
    microseconds.map { clocks.present(DuePoint(clock: ClockID(rawValue: clock ?? 0), microseconds: $0)) }
  }

  private func timing(_ row: some ColumnReading) -> Timing {
    if let span = row.int(.span) { return .countdown(TimeSpan(microseconds: span)) }
    if let instant = row.instant(.instant) { return .instant(instant) }
    if let zone = row.text(.zone) {
      let floats = row.int(.floats) != 0
      if let civil = row.text(.civil).flatMap({ CivilDateTime($0) }) {
        return .civil(civil, zone: zone, floats: floats)
      }
      if let time = RecurringTime(
        event: row.text(.calendarEvent), interval: row.text(.interval), rule: row.text(.rule))
      {
        return .every(time, zone: zone, floats: floats)
      }
    }
    let due = due(row)
    let onWall = due?.clock == .wall ? due?.microseconds ?? 0 : row.int(.createdAt) ?? 0
    return .instant(Instant(microseconds: onWall))
  }
}

extension AlarmCard {
  /// Reads a row that begins with all columns of `alarm`.
  ///
  /// - Parameter start: Where the columns of ``AlarmRows/card(of:)`` begin.
  convenience init(_ row: some ColumnReading, groupAt start: Int) {
    var manner = AlarmRows.manner(row)
    manner.icon = text(row, start)
    self.init(
      id: AlarmRows.id(row), label: row.text(.label), manner: manner, expression: row.text(.expression) ?? "",
      recurs: row.text(.kind) == Timing.Kind.every.rawValue, category: AlarmRows.category(row),
      group: text(row, start + 1))
  }
}

extension AlarmRows {
  /// The last ring of an occurrence, whose columns begin at `start`.
  static func ring(
    _ row: some ColumnReading, at start: Int, of number: Int64, _ card: AlarmCard
  ) -> Notice {
    let lateness = row.int(.lateness, from: start).map { TimeSpan(microseconds: $0) } ?? .zero
    let itsDue = row.instant(.dueAt, from: start) ?? Instant(microseconds: 0)
    // The last ring may have ended a snooze: its moment is the one from which it was late.
    let dueAt = row.instant(.firedAt, from: start).map { $0 - lateness } ?? itsDue
    return Notice(
      occurrence: row.int(.id, from: start) ?? 0, number: number, card: card, dueAt: dueAt,
      ahead: TimeSpan(microseconds: dueAt == itsDue ? row.int(.ahead, from: start) ?? 0 : 0),
      lateness: lateness,
      reason: row.text(.lateReason, from: start).map { LateReason(rawValue: $0) ?? .other },
      elapsed: row.int(.missedCount, from: start) ?? 1,
      shown: row.int(.bubble, from: start).flatMap { UInt32(exactly: $0) }.flatMap { bubble in
        row.text(.bubbleServer, from: start).map { Notice.ShownBubble(id: bubble, server: $0) }
      })
  }
}

extension BoundValues {
  /// Binds the value of an alarm's column. For the group it is the name, although the column holds a key; NULL for
  /// columns that only the database knows.
  mutating func add(_ column: AlarmColumn, of alarm: Alarm) {
    switch column {
    case .number: add(alarm.number > 0 ? alarm.number : nil)
    case .id: add(alarm.id.description)
    case .label: add(alarm.label)
    case .category: add(alarm.category.rawValue)
    case .eggs: add(alarm.eggs)
    case .group: add(alarm.group)
    case .position: add(alarm.position)
    case .kind, .span, .instant, .civil, .zone, .floats, .calendarEvent, .interval, .rule:
      add(AlarmRows.value(of: column, alarm.timing))
    case .ifMissed: add(RecurrenceRows.column(alarm.ifMissed))
    case .beginsAt: add(alarm.from?.microseconds)
    case .until: add(alarm.until?.microseconds)
    case .count: add(alarm.count)
    case .expression: add(alarm.expression)
    case .forcedKind: add(alarm.forcedKind?.rawValue)
    case .readingZone: add(alarm.readingZone)
    case .state: add(alarm.state.rawValue)
    case .remaining: add(alarm.remaining?.microseconds)
    case .key: add(alarm.key)
    case .anniversary: add(alarm.anniversary?.description)
    case .createdAt: add(alarm.createdAt.microseconds)
    case .modifiedAt: add(alarm.modifiedAt?.microseconds)
    case .doneAt: add(alarm.doneAt?.microseconds)
    case .doneClock: add(alarm.doneDue?.clock.rawValue)
    case .doneDue: add(alarm.doneDue?.microseconds)
    case .clock: add(alarm.due?.clock.rawValue ?? 0)
    case .due: add(alarm.due?.microseconds)
    case .ahead: add(RecurrenceRows.column(alarm.ahead))
    case .leads: add(RecurrenceRows.column(alarm.rules.leads))
    case .skips: add(RecurrenceRows.column(alarm.rules.skips))
    case .exceptOn: add(RecurrenceRows.column(alarm.rules.except))
    case .onlyOn: add(RecurrenceRows.column(alarm.rules.onlyOn))
    case .overAt, .keyedRequest, .zoneDue, .pausedDue, .calledAt, .wrongUntil: addNull()
    default:
      let field = AlarmColumn.manner.first { $0.column == column }?.field
      add(field.flatMap { alarm.manner[$0]?.binding })
    }
  }
}

extension Manner.Value {
  /// As its column has it.
  var binding: any StatementBinding {
    switch self {
    case .text(let text): text
    case .number(let number): number
    case .flag(let flag): flag ? 1 : 0
    }
  }
}

extension AlarmRows {
  /// The columns that depend on the timing.
  static let timing: [AlarmColumn] = [
    .kind, .span, .instant, .civil, .zone, .floats, .calendarEvent, .interval, .rule,
  ]

  /// The value of a column in ``timing``.
  static func value(of column: AlarmColumn, _ timing: Timing) -> (any StatementBinding)? {
    switch (column, timing) {
    case (.kind, _): timing.kind.rawValue
    case (.span, .countdown(let span)): span.microseconds
    case (.instant, .instant(let instant)): instant.microseconds
    case (.civil, .civil(let civil, _, _)): civil.description
    case (.zone, .civil(_, let zone, _)), (.zone, .every(_, let zone, _)): zone
    case (.floats, .civil(_, _, let floats)), (.floats, .every(_, _, let floats)): floats ? 1 : 0
    case (.floats, _): 0
    case (.calendarEvent, .every(let time, _, _)): time.event
    case (.interval, .every(let time, _, _)): time.interval
    case (.rule, .every(let time, _, _)): time.rule
    default: nil
    }
  }
}
