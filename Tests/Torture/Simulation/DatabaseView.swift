import Alarms
import EggTestSupport
import EggTime
import GRDBSQLite

/// The database as another program would read it, without any of eggd's code.
final class DatabaseView {
  private var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// One alarm as its rows are.
  struct Row: Hashable {
    var number: Int64 = 0
    var label = ""
    var key: String?
    var state = ""
    var clock: Int64 = 0
    var due: Int64?
    var remaining: Int64?
    var count: Int64?
    /// Ends of snoozes by occurrence: clock and due.
    var snoozes: [Int64: Point] = [:]
    /// When rings count as unanswered, by occurrence.
    var unanswered: [Int64: Point] = [:]
  }

  struct Point: Hashable {
    var clock: Int64
    var due: Int64
  }

  init?(_ path: String) {
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else { return nil }
    sqlite3_busy_timeout(connection, 1_000)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(connection)
  }

  /// Every row of an answer; nil where it can't be read.
  func read(_ sql: String, _ number: Int64? = nil, _ each: (Columns) -> Void) -> Bool {
    var statement = statements[sql]
    if statement == nil {
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return false }
      statements[sql] = statement
    }
    defer { sqlite3_reset(statement) }
    if let number { sqlite3_bind_int64(statement, 1, number) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: each(Columns(statement: statement))
      case SQLITE_DONE: return true
      default: return false
      }
    }
  }

  /// One row of an answer.
  struct Columns {
    fileprivate let statement: OpaquePointer?

    func integer(_ index: Int32) -> Int64? {
      sqlite3_column_type(statement, index) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, index)
    }

    func text(_ index: Int32) -> String? {
      sqlite3_column_text(statement, index).map { String(cString: $0) }
    }
  }

  /// All alarms by number; nil where they can't be read.
  func rows() -> [Int64: Row]? {
    var rows: [Int64: Row] = [:]
    let isRead = read(
      "SELECT number, label, state, clock, due, remaining, key, count FROM alarm"
    ) { columns in
      let number = columns.integer(0) ?? 0
      rows[number] = Row(
        number: number, label: columns.text(1) ?? "", key: columns.text(6), state: columns.text(2) ?? "",
        clock: columns.integer(3) ?? 0, due: columns.integer(4), remaining: columns.integer(5),
        count: columns.integer(7))
    }
    let haveSnoozes = read("SELECT alarm, id, clock, due FROM occurrence WHERE due IS NOT NULL") { columns in
      guard let number = columns.integer(0), let id = columns.integer(1), let due = columns.integer(3) else {
        return
      }
      rows[number]?.snoozes[id] = Point(clock: columns.integer(2) ?? 0, due: due)
    }
    let haveUnanswered = read(
      "SELECT alarm, id, unansweredClock, unansweredDue FROM occurrence WHERE unansweredDue IS NOT NULL"
    ) { columns in
      guard let number = columns.integer(0), let id = columns.integer(1), let due = columns.integer(3) else {
        return
      }
      rows[number]?.unanswered[id] = Point(clock: columns.integer(2) ?? 0, due: due)
    }
    return isRead && haveSnoozes && haveUnanswered ? rows : nil
  }

  /// All alarms as they are listed; nil where they can't be read.
  func order() -> [Int64]? {
    var numbers: [Int64] = []
    let isRead = read("SELECT number FROM alarm ORDER BY position, number") {
      if let number = $0.integer(0) { numbers.append(number) }
    }
    return isRead ? numbers : nil
  }

  /// Wall clock minus clock of each boot, µs.
  func boots() -> [Int64: Int64] {
    var boots: [Int64: Int64] = [:]
    _ = read("SELECT id, offset FROM boot") { boots[$0.integer(0) ?? 0] = $0.integer(1) }
    return boots
  }

  /// What became of one occurrence, and whose it is.
  func outcome(of occurrence: Int64) -> (number: Int64, outcome: String)? {
    var found: (Int64, String)?
    _ = read("SELECT alarm, outcome FROM occurrence WHERE id = ?", occurrence) {
      found = ($0.integer(0) ?? 0, $0.text(1) ?? "")
    }
    return found
  }

  /// An occurrence that rings.
  struct Ringing {
    var occurrence: Int64
    var number: Int64
    var label: String
    /// Whether a server has ever shown it.
    var isShown: Bool
    /// The bubble that showed it last, and the server of that.
    var bubble: UInt32?
    var server: String?
  }

  func ringing() -> [Ringing] {
    var ringing: [Ringing] = []
    _ = read(
      """
      SELECT o.id, o.alarm, a.label, o.shownAt IS NOT NULL, o.bubble, o.bubbleServer
      FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
      WHERE o.outcome = 'rung' AND o.dismissedAt IS NULL AND o.snoozedUntil IS NULL
      ORDER BY o.id
      """
    ) {
      ringing.append(
        Ringing(
          occurrence: $0.integer(0) ?? 0, number: $0.integer(1) ?? 0, label: $0.text(2) ?? "",
          isShown: $0.integer(3) == 1, bubble: $0.integer(4).flatMap { UInt32(exactly: $0) },
          server: $0.text(5)))
    }
    return ringing
  }

  /// By name, since 1970.
  func daysOff() -> [String: Set<Int>] {
    var found: [String: Set<Int>] = [:]
    _ = read("SELECT name, days FROM days_off") { found[$0.text(0) ?? ""] = Self.days($0.text(1)) }
    return found
  }

  /// `2026-12-24..2027-01-01 2027-02-03`
  private static func days(_ text: String?) -> Set<Int> {
    Set(
      (text ?? "").split(separator: " ").flatMap { range -> [Int] in
        let ends = range.split(separator: ".").compactMap { CivilDate(String($0))?.dayNumber }
        return ends.isEmpty ? [] : Array(ends[0]...ends[ends.count - 1])
      })
  }

  func groups() -> Set<String> {
    var groups: Set<String> = []
    _ = read("SELECT name FROM alarm_group") { groups.insert($0.text(0) ?? "") }
    return groups
  }
}

extension DatabaseView {
  /// The latest moment at which an alarm was made or changed.
  func latestCall() -> Instant? {
    var latest: Instant?
    _ = read(
      """
      SELECT max(max(createdAt, coalesce(modifiedAt, 0), coalesce(calledAt, 0))) FROM alarm
      """
    ) { latest = $0.integer(0).map { Instant(microseconds: $0) } }
    return latest
  }
  /// What is to come of an alarm by its rows, where no reply has told; nil where there is none.
  ///
  /// - Parameter boot: The clock of the boot that runs.
  func standing(of number: Int64, boot: Int64) -> Standing? {
    let boots = boots()
    func moment(_ clock: Int64, _ due: Int64) -> Course.Moment {
      if clock == boot { return .elapsed(due) }
      return .instant(Instant(microseconds: due + (clock == 0 ? 0 : boots[clock] ?? 0)))
    }
    let daysOff = daysOff()
    func named(_ list: String?) -> [String: Set<Int>] {
      let names = (list ?? "").split(separator: "\n").map(String.init)
      return Dictionary(uniqueKeysWithValues: names.map { ($0, daysOff[$0] ?? []) })
    }
    var standing: Standing?
    var wrongUntil: Int64 = 0
    _ = read(
      """
      SELECT kind, civil, zone, floats, calendarEvent, ifMissed, until, count, state, remaining, createdAt,
        modifiedAt, doneAt, clock, due, pausedDue, doneClock, doneDue,
        (SELECT name FROM alarm_group g WHERE g.id = "group"), interval, beginsAt, rule, calledAt, expression, readingZone,
        coalesce(wrongUntil, 0), wrongUntil IS NOT NULL, key, leads, skips, exceptOn, onlyOn, coalesce(ahead, 0),
        unansweredAfter
        FROM alarm WHERE number = ?
      """, number
    ) { columns in
      var made = Standing()
      let zone = columns.integer(3) == 1 ? nil : columns.text(2)
      let leads = (columns.text(28) ?? "").split(separator: "\n").compactMap { Lead(String($0))?.span }
      let isLed = !leads.isEmpty && columns.text(0) != "every"
      let ahead = TimeSpan(microseconds: isLed ? columns.integer(32) ?? 0 : 0)
      func own(_ clock: Int32, _ due: Int32) -> Course.Moment? {
        guard let due = columns.integer(due) else { return nil }
        var own = moment(columns.integer(clock) ?? 0, due + ahead.microseconds)
        if columns.text(0) == "at", let civil = columns.text(1).flatMap({ CivilDateTime($0) }) {
          own = .civil(civil, zone: zone)
        }
        return isLed ? .before(own, ahead) : own
      }
      made.course.own = own(13, 14)
      let changed = max(columns.integer(10) ?? 0, columns.integer(11) ?? 0)
      if isLed { made.course.led = Course.Led(leads: leads, made: Instant(microseconds: changed)) }
      let interval = columns.text(19).flatMap { RecurringInterval($0) }.map { RecurringTime.interval($0) }
      let event = columns.text(4).flatMap { CalendarEvent($0) }.map { RecurringTime.event($0) }
      let rule = columns.text(21).flatMap { RecurrenceSet($0) }.map { RecurringTime.rule($0) }
      if let time = interval ?? rule ?? event {
        made.course.recurring = Course.Recurring(
          time: time, zone: zone, from: columns.integer(20).map { Instant(microseconds: $0) },
          left: columns.integer(7) ?? .max,
          until: columns.integer(6).map { Instant(microseconds: $0) } ?? .latest,
          made: Instant(microseconds: changed))
        made.course.recurring?.leads = leads
        made.course.recurring?.quiet.skips = Self.days(columns.text(29))
        made.course.recurring?.quiet.except = named(columns.text(30))
        made.course.recurring?.quiet.only = named(columns.text(31))
      }
      made.course.call = columns.integer(22).map {
        Course.Call(
          at: Instant(microseconds: $0), text: columns.text(23) ?? "", zone: columns.text(24) ?? "",
          isSpan: columns.text(0) == "in")
      }
      wrongUntil = columns.integer(25) ?? 0
      made.course.isSetRight = columns.integer(26) == 1
      made.course.mostLate = columns.text(5).map {
        Int64($0).map { TimeSpan(microseconds: max($0, 1_000_000)) } ?? .seconds(1)
      }
      let paused: Course.Paused? = columns.integer(9).map { .left($0, ahead: ahead) }
      if columns.text(8) == "paused" {
        made.course.paused =
          paused
          ?? .every(
            due: Instant(microseconds: columns.integer(15) ?? 0),
            at: Instant(microseconds: columns.integer(11) ?? 0))
      }
      made.isDone = columns.integer(12) != nil
      if made.isDone, made.course.recurring == nil {
        made.aside = Standing.Aside(
          own: own(16, 17), paused: columns.text(8) == "over" ? paused : nil,
          then: columns.integer(17).map { moment(columns.integer(16) ?? 0, $0) })
      }
      made.course.patience = columns.integer(33).map { TimeSpan(microseconds: $0) }
      made.group = columns.text(18)
      made.key = columns.text(27)
      made.created = columns.integer(10).map { Instant(microseconds: $0) }
      standing = made
    }
    guard standing != nil else { return nil }
    var isLatest = true
    var hasEndedSkip = false
    _ = read(
      """
      SELECT id, dueAt + coalesce(lateness, 0), firedAt, outcome, clock, due, dismissedAt, snoozedUntil, dueAt,
        unansweredClock, unansweredDue FROM occurrence WHERE alarm = ?
      ORDER BY id DESC
      """, number
    ) { columns in
      let id = columns.integer(0) ?? 0
      let isSkipped = columns.text(3) == "skipped"
      if let firedAt = columns.integer(2) { standing?.course.rang[id] = Instant(microseconds: firedAt) }
      // What was skipped of another timing than the alarm has by now says nothing.
      hasEndedSkip = hasEndedSkip || isSkipped && columns.integer(6) != nil
      if isLatest, id > wrongUntil, !isSkipped || !hasEndedSkip {
        isLatest = false
        let known = Instant(
          microseconds: [columns.integer(1), columns.integer(2)].compactMap { $0 }.max() ?? 0)
        let dueAt = Instant(microseconds: columns.integer(8) ?? 0)
        standing?.latest = Standing.Latest(occurrence: id, dueAt: dueAt)
        if isSkipped, dueAt < known {
          standing?.course.recurring?.last = known
          standing?.course.recurring?.passedOver = dueAt
        } else if isSkipped {
          standing?.course.recurring?.skipped = known
        } else {
          standing?.known = known
          standing?.course.recurring?.last = known
          standing?.course.led?.last = known
        }
      }
      if let due = columns.integer(5) {
        standing?.course.snoozes[id] = moment(columns.integer(4) ?? 0, due)
      } else if columns.text(3) == "rung", columns.integer(6) == nil, columns.integer(7) == nil {
        standing?.ringing.insert(id)
        standing?.course.unanswered[id] = columns.integer(10).map { moment(columns.integer(9) ?? 0, $0) }
      }
    }
    return standing
  }
}
