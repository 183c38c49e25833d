import Alarms
import EggTime
import GRDB
import Ringing

/// What was made while the wall clock was ahead, after the clock was set right.
///
/// * A call more than a minute after now came while the clock was ahead. It moves back with the clock: by the step if eggd
///   or the boot's row knows it, otherwise to now.
/// * Its text is read again at the moved call, as if it had come then. A text that did not mean the stored timing at its
///   own call says nothing: the timing has a start of its own, or another program has changed it.
/// * A recurring alarm waits for its first elapse after now. What elapsed by the wrong clock says nothing about that,
///   except for the next elapse if it was skipped.
/// * A one-shot whose moment has passed meanwhile rings late.
/// * Countdowns and snoozes of an earlier boot have moved to the wall clock: they go back with their call or ring. A snooze
///   until a time of day goes back by whole days.
/// * Creation and change move too. So all of this is done once.
/// * An interval of elapsed time that counts from its call goes back with each step of a minute or more, like a
///   countdown. A step forward makes it ring before the store hears of it: then it stays on the wall clock.
struct WrongClock {
  /// A smaller correction makes nothing ring twice.
  static let tolerance = TimeSpan.seconds(60)

  let now: ClockReading
  /// Below zero if it is known by how much the clock was set back; otherwise zero.
  let step: TimeSpan
  /// Intervals of elapsed time that were made before have not followed that step yet.
  let movesIntervals: Bool

  init(now: ClockReading, step: TimeSpan = .zero, movesIntervals: Bool = true) {
    self.now = now
    self.movesIntervals = movesIntervals
    self.step = step <= .zero - Self.tolerance ? step : .zero
  }

  /// Moments after this are by a clock that was ahead.
  var latest: Instant { now.wall + Self.tolerance }

  /// By how much such a moment moves; nil for others.
  func shift(of moment: Instant) -> TimeSpan? {
    guard moment > latest else { return nil }
    // A step that leaves it ahead was of another clock.
    return step < .zero && moment + step <= latest ? step : now.wall - moment
  }

  /// Whether the last occurrence, alarm or change is later than that moment.
  static func stood(after moment: Instant, _ database: Database) throws -> Bool {
    let last = try [
      "SELECT max(id) FROM occurrence", "SELECT createdAt FROM alarm ORDER BY number DESC LIMIT 1",
      "SELECT max(madeAt) FROM undo",
    ].compactMap { try database.cachedStatement(sql: $0).first { int($0, 0) } ?? nil }
    return last.contains { $0 > moment.microseconds }
  }
}

/// Finds what was made by a clock that was ahead, and moves it.
struct ClockCorrection {
  let tables: Tables
  let clock: WrongClock
  private var database: Database { tables.database }
  private var zones: ZonesInUse { tables.zones }

  /// Ascending.
  func candidates() throws -> [Int64] {
    var candidates: Set<Int64> = []
    if try WrongClock.stood(after: clock.latest, database) {
      candidates.formUnion(
        try Int64.fetchAll(
          database,
          sql: """
            SELECT number FROM alarm WHERE max(createdAt, ifnull(modifiedAt, 0), ifnull(calledAt, 0)) > ?1
            UNION
            SELECT alarm FROM occurrence
            WHERE due IS NOT NULL AND clock <> ?2 AND firedAt > ?1 AND alarm IN (SELECT number FROM alarm)
            """, arguments: [clock.latest.microseconds, tables.clocks.current.rawValue]))
    }
    guard clock.movesIntervals, clock.step < .zero else { return candidates.sorted() }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(AlarmColumn.list()) FROM alarm
        WHERE interval IS NOT NULL AND calledAt IS NOT NULL AND beginsAt IS NULL
          AND (due IS NOT NULL OR pausedDue IS NOT NULL)
        """)
    while let row = try rows.next() {
      if let number = row.int(.number), let call = row.instant(.calledAt), countsElapsed(row, from: call) {
        candidates.insert(number)
      }
    }
    return candidates.sorted()
  }

  /// Moves alarms that were made by a clock that was ahead. The caller holds them.
  ///
  /// - Returns: Those whose moments have passed by that.
  @discardableResult
  func setRight(_ numbers: [Int64]) throws -> [Int64] {
    var passed: [Int64] = []
    for number in numbers {
      guard let row = try database.row(ZoneResolver.select, [number]) else { continue }
      var changes: [AlarmColumn: (any StatementBinding)?] = [:]
      for column in [AlarmColumn.createdAt, .modifiedAt] {
        guard let moment = row.instant(column), let shift = clock.shift(of: moment) else { continue }
        changes[column] = (moment + shift).microseconds
      }
      if let call = row.instant(.calledAt), let shift = shift(of: call, row) {
        changes[.calledAt] = (call + shift).microseconds
        let moment = retime(row, call, shift, &changes)
        if let moment, moment <= clock.now.wall { passed.append(number) }
      }
      guard !changes.isEmpty else { continue }
      let values = changes.sorted { $0.key.rawValue < $1.key.rawValue }
      try tables.alarms.set(values.map { ($0.key, $0.value) }, of: [number])
      if changes[.calledAt] != nil, row.text(.kind) == Timing.Kind.every.rawValue {
        try database.run(
          """
          UPDATE alarm SET wrongUntil = (SELECT coalesce(max(id), 0) FROM occurrence WHERE alarm = ?1)
          WHERE number = ?1
          """, [number])
      }
    }
    return passed
  }

  /// By how much the call of a row moves; nil where it stays.
  private func shift(of call: Instant, _ row: Row) -> TimeSpan? {
    if let shift = clock.shift(of: call) { return shift }
    return clock.movesIntervals && clock.step < .zero && countsElapsed(row, from: call) ? clock.step : nil
  }

  /// Whether it is an interval of elapsed time that counts from its call.
  func countsElapsed(_ row: Row, from call: Instant) -> Bool {
    guard row.int(.beginsAt) == nil, case .interval(let interval) = zones.time(row) else { return false }
    return interval.elapsesFrom == call
  }

  /// Gives a row the timing that its call would have got at the true moment.
  ///
  /// - Returns: Its new moment; nil where it keeps the old one.
  private func retime(
    _ row: Row, _ call: Instant, _ shift: TimeSpan,
    _ changes: inout [AlarmColumn: (any StatementBinding)?]
  ) -> Instant? {
    let now = clock.now.wall
    if let paused = row.instant(.pausedDue) {
      if paused > now, let next = next(row, call, shift, paused, &changes) {
        changes[.pausedDue] = next.ring.microseconds
      }
      return nil
    }
    guard let due = row.int(.due) else { return nil }
    let point = tables.clocks.present(
      DuePoint(clock: ClockID(rawValue: row.int(.clock) ?? 0), microseconds: due))
    guard point.clock == .wall, point.microseconds > now.microseconds,
      let next = next(row, call, shift, Instant(microseconds: point.microseconds), &changes)
    else { return nil }
    changes[.clock] = ClockID.wall.rawValue
    changes[.due] = next.ring.microseconds
    changes[.ahead] = .some(RecurrenceRows.column(next.ahead))
    changes[.zoneDue] = .some(nil)
    return next.ring
  }

  private func next(
    _ row: Row, _ call: Instant, _ shift: TimeSpan, _ due: Instant,
    _ changes: inout [AlarmColumn: (any StatementBinding)?]
  ) -> Recurrence.Moment? {
    let kind = row.text(.kind).flatMap { Timing.Kind(rawValue: $0) }
    guard kind != .in else {
      return Recurrence.Moment(ring: due + shift, ahead: RecurrenceRows.ahead(row))
    }
    let reading = read(row, movedBy: shift, from: call)
    switch reading {
    case .instant(let instant)?:
      changes[.instant] = instant.microseconds
      return once(row, instant, .utc)
    case .civil(let civil, _)?:
      guard let name = row.text(.zone), let zone = zones.zone(name, floats: row.int(.floats) != 0) else {
        return nil
      }
      changes[.civil] = civil.description
      return once(row, zone.resolve(civil).instant, zone)
    case .recurring(let time)?:
      changes[.calendarEvent] = time.event
      changes[.interval] = time.interval
      changes[.rule] = time.rule
      return next(row, time, shift, due)
    case .span?: return nil
    case nil: return zones.time(row).flatMap { next(row, $0, shift, due) }
    }
  }

  /// What a one-shot waits for whose moment is that.
  private func once(_ row: Row, _ moment: Instant, _ zone: Zone) -> Recurrence.Moment {
    RecurrenceRows.once(moment, RecurrenceRows.rules(row), zone)?.next(after: clock.now.wall)
      ?? Recurrence.Moment(ring: moment)
  }

  /// - Parameter time: The row's, or what it becomes.
  private func next(
    _ row: Row, _ time: RecurringTime, _ shift: TimeSpan, _ due: Instant
  ) -> Recurrence.Moment? {
    let now = clock.now.wall
    guard let recurrence = RecurrenceRows.recurrence(row, zones: zones, time: time) else { return nil }
    let last = AlarmColumn.width
    let isSkipped = row.text(.outcome, from: last) == Occurrence.Outcome.skipped.rawValue
    // Other moments are on quiet days after such a step.
    if case .interval(let interval) = time, interval.isElapsed, time != zones.time(row), shift == clock.step,
      due + shift > now, isSkipped || recurrence.quiet == .none
    {
      return recurrence.next(after: due + shift - TimeSpan(microseconds: 1))
    }
    let next = recurrence.next(after: now)
    guard isSkipped,
      let skipped = row.instant(.dueAt, from: last), skipped == next?.ring
    else { return next }
    return recurrence.next(after: skipped)
  }

  /// What the text of a row means at its moved call; nil if it did not mean the row's timing at its call.
  private func read(_ row: Row, movedBy shift: TimeSpan, from call: Instant) -> ExpressionReading? {
    if countsElapsed(row, from: call), case .interval(let interval) = zones.time(row),
      case .elapsed(let span) = interval.step
    {
      return RecurringInterval(every: span, from: call + shift).map { .recurring(.interval($0)) }
    }
    guard let text = row.text(.expression), let name = row.text(.readingZone) else { return nil }
    let source = zones.machine.source
    guard let zone = name == zones.local.identifier ? zones.local : try? source.zone(named: name) else {
      return nil
    }
    let kind = row.text(.forcedKind).flatMap { Timing.Kind(rawValue: $0) }
    // A day without a time of day keeps the one that it got.
    var civil = row.text(.civil).flatMap { CivilDateTime($0) }
    if case .interval(let interval) = zones.time(row), !interval.isElapsed {
      civil = interval.start
    }
    let dayAt = civil.map(TimeOfDay.init) ?? .usual
    func reading(at moment: Instant) -> ExpressionReading? {
      let context = ReadingContext(now: moment, zone: zone, from: row.instant(.beginsAt), dayAt: dayAt) {
        name throws(ZoneError) in try source.zone(named: name)
      }
      return try? TimeExpression.read(text, in: context, as: kind?.expressionKind).reading
    }
    let isStored =
      switch reading(at: call) {
      case .instant(let instant)?: instant == row.instant(.instant)
      case .civil(let civil, _)?: civil.description == row.text(.civil)
      case .recurring(let time)?: time == zones.time(row)
      case .span?, nil: false
      }
    return isStored ? reading(at: call + shift) : nil
  }

  /// Moves snoozes that have come from an earlier boot to the wall clock, each with its ring.
  ///
  /// - Parameter list: Of alarms, for `json_each`.
  func setSnoozesRight(of list: String) throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT id, clock, due, firedAt, civil, zone FROM occurrence
        WHERE due IS NOT NULL AND clock <> ? AND firedAt > ? AND alarm IN (SELECT value FROM json_each(?))
        """, arguments: [tables.clocks.current.rawValue, clock.latest.microseconds, list])
    let update = try database.cachedStatement(
      sql: """
        UPDATE occurrence SET clock = 0, due = ?, snoozedUntil = snoozedUntil + ?, civil = ?, firedAt = ? WHERE id = ?
        """)
    for row in rows {
      guard let firedAt = int(row, 3).map({ Instant(microseconds: $0) }), let shift = clock.shift(of: firedAt)
      else { continue }
      let due = tables.clocks.present(
        DuePoint(clock: ClockID(rawValue: int(row, 1) ?? 0), microseconds: int(row, 2) ?? 0))
      let end = Instant(microseconds: due.microseconds)
      // It was snoozed after the clock was set right.
      guard end > firedAt else { continue }
      var (moved, civil) = (end + shift, text(row, 4).flatMap { CivilDateTime($0) })
      if let time = civil, let zone = tables.resolver.zone(ofSnooze: text(row, 5)) {
        let days = zone.civil(at: firedAt + shift).dayNumber - zone.civil(at: firedAt).dayNumber
        civil = time.adding(days: days)
        moved = zone.resolve(time.adding(days: days)).instant
      }
      try update.execute(
        arguments: [
          moved.microseconds, (moved - end).microseconds, civil?.description, (firedAt + shift).microseconds,
          int(row, 0),
        ])
    }
  }
}
