import Alarms
import EggTime
import GRDB
import Ringing

/// Statements on the table `occurrence`.
struct OccurrenceTable {
  let database: Database

  /// The alarms of which a ring waits for an answer.
  static let waitingForAnswer = "SELECT alarm FROM occurrence WHERE unansweredDue IS NOT NULL"
  /// For a ring that is answered or counts as unanswered.
  static let waitsNoMore = "unansweredClock = NULL, unansweredDue = NULL"

  /// Occurrences kept per alarm.
  static let kept = 100
  /// The condition of a ring that nobody has answered.
  static let rings = "outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL"

  /// Records an occurrence that is not a ring.
  ///
  /// - Parameter elapsed: The number of elapses that it stands for.
  func note(
    _ outcome: Occurrence.Outcome, of number: Int64, dueAt: Instant, elapsed: Int64 = 1, at now: Instant
  ) throws {
    // Keys are moments; the greatest is the latest occurrence. Keys of rings are even: a ring in progress has
    // its key already.
    try database.run(
      """
      INSERT INTO occurrence (id, alarm, dueAt, outcome, missedCount, lateness)
      SELECT max(?1, coalesce(max(id), 0) + 1) | 1, ?2, ?3, ?5, ?4, ?6 FROM occurrence WHERE id <= ?7
      """,
      [
        now.microseconds, number, dueAt.microseconds, elapsed > 1 ? elapsed : nil, outcome.rawValue,
        outcome == .missed || dueAt < now ? (now - dueAt).microseconds : nil, Self.greatestKey(at: now),
      ])
    try forgetOldest(number)
  }

  /// A greater key is no moment that a clock has shown; nothing counts up from it.
  static func greatestKey(at now: Instant) -> Int64 { (now + .seconds(366 * 86_400)).microseconds }

  /// The key ?1, or the next free one if it is taken: the clock was set back between two runs.
  static let freeKey = """
    iif(EXISTS (SELECT 1 FROM occurrence WHERE id = ?1),
      (SELECT id + 1 FROM occurrence o WHERE id >= ?1
        AND NOT EXISTS (SELECT 1 FROM occurrence WHERE id = o.id + 1) ORDER BY id LIMIT 1),
      ?1)
    """

  /// Records an alarm's own ring, or its missed one.
  func insert(_ ring: RingRecord) throws {
    try database.run(
      """
      INSERT INTO occurrence (id, alarm, dueAt, outcome, missedCount, firedAt, lateness, lateReason, ahead,
        unansweredClock, unansweredDue)
      VALUES (\(Self.freeKey), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """,
      [
        ring.occurrence, ring.key.number, ring.dueAt.microseconds, ring.rang ? "rung" : "missed",
        ring.elapsed > 1 ? ring.elapsed : nil, ring.rang ? ring.firedAt.microseconds : nil,
        ring.lateness.microseconds, ring.reason?.rawValue, RecurrenceRows.column(ring.ahead),
        ring.unanswered?.clock.rawValue, ring.unanswered?.microseconds,
      ])
    // A new ring of an alarm replaces an unanswered one.
    if ring.rang {
      try database.run(
        "UPDATE occurrence SET dismissedAt = ?, \(Self.waitsNoMore) WHERE alarm = ? AND id < ? AND \(Self.rings)",
        [ring.firedAt.microseconds, ring.key.number, ring.occurrence])
    }
    try forgetOldest(ring.key.number)
  }

  /// Keeps an alarm's last ``kept``, and all that ring or are snoozed.
  private func forgetOldest(_ number: Int64) throws {
    try database.run(
      """
      DELETE FROM occurrence WHERE alarm = ?1 AND NOT (outcome = 'rung' AND dismissedAt IS NULL) AND id <= (
        SELECT id FROM occurrence WHERE alarm = ?1 ORDER BY id DESC LIMIT 1 OFFSET \(Self.kept))
      """, [number])
  }

  func endSnooze(_ ring: RingRecord) throws {
    try database.run(
      """
      UPDATE occurrence SET clock = 0, due = NULL, snoozedUntil = NULL, firedAt = ?, lateness = ?,
        lateReason = ?, journaledAt = NULL, shownAt = NULL, bubble = NULL, bubbleServer = NULL,
        hooks = NULL, unansweredClock = ?, unansweredDue = ?
      WHERE id = ?
      """,
      [
        ring.firedAt.microseconds, ring.lateness.microseconds, ring.reason?.rawValue,
        ring.unanswered?.clock.rawValue, ring.unanswered?.microseconds, ring.key.occurrence,
      ])
  }

  /// A ring that waits for an answer waits for another time; nil for none.
  func setPatience(of number: Int64, from before: TimeSpan, to after: TimeSpan?) throws {
    guard let after else {
      return try database.run("UPDATE occurrence SET \(Self.waitsNoMore) WHERE alarm = ?", [number])
    }
    try database.run(
      "UPDATE occurrence SET unansweredDue = unansweredDue + ? WHERE alarm = ? AND unansweredDue IS NOT NULL",
      [(after - before).microseconds, number])
  }

  func endPatience(_ id: Int64) throws {
    try database.run("UPDATE occurrence SET \(Self.waitsNoMore) WHERE id = ?", [id])
  }

  /// Dismisses ringing and snoozed occurrences of these alarms.
  ///
  /// - Parameter last: The key of the last one; later ones ring on.
  func endRinging(_ numbers: [Int64], upTo last: Int64 = .max, at moment: Instant) throws {
    guard !numbers.isEmpty else { return }
    try database.run(
      """
      UPDATE occurrence SET dismissedAt = ?, snoozedUntil = NULL, clock = 0, due = NULL, \(Self.waitsNoMore)
      WHERE alarm IN (SELECT value FROM json_each(?)) AND outcome = 'rung' AND dismissedAt IS NULL AND id <= ?
      """, [moment.microseconds, numbers.jsonList, last])
  }

  /// Skips recorded so far belong to an earlier timing.
  func endSkips(_ numbers: [Int64], at moment: Instant) throws {
    try database.run(
      """
      UPDATE occurrence SET dismissedAt = ? WHERE id IN (
        SELECT max(id) FROM occurrence
        WHERE alarm IN (SELECT value FROM json_each(?)) AND outcome = 'skipped' GROUP BY alarm)
      """, [moment.microseconds, numbers.jsonList])
  }

  /// Whether an alarm rings with that occurrence or an earlier one.
  func isRinging(_ number: Int64, upTo last: Int64) throws -> Bool {
    try database.has(
      "SELECT 1 FROM occurrence WHERE alarm = ? AND id <= ? AND \(Self.rings)", [number, last])
  }

  /// Snoozes the latest ring of each; earlier ones are dismissed.
  ///
  /// - Parameters:
  ///   - last: The key of the last one; later ones ring on.
  ///   - end: On the wall clock.
  ///   - timing: A civil time that names the end, which then follows its zone.
  func snooze(
    _ numbers: [Int64], upTo last: Int64 = .max, until: DuePoint, end: Instant, _ timing: Timing?,
    at now: Instant
  ) throws {
    guard !numbers.isEmpty else { return }
    let these = "alarm IN (SELECT value FROM json_each(?1)) AND id <= ?2 AND \(Self.rings)"
    let list = numbers.jsonList
    try database.run(
      """
      UPDATE occurrence SET dismissedAt = ?3, \(Self.waitsNoMore) WHERE \(these)
        AND id NOT IN (SELECT max(id) FROM occurrence WHERE \(these) GROUP BY alarm)
      """, [list, last, now.microseconds])
    try database.run(
      """
      UPDATE occurrence SET snoozedUntil = ?3, clock = ?4, due = ?5, civil = ?6, zone = ?7, \(Self.waitsNoMore)
      WHERE \(these)
      """,
      [list, last, end.microseconds, until.clock.rawValue, until.microseconds] + Self.columns(timing))
  }

  func snooze(_ id: Int64, until: DuePoint, end: Instant, _ timing: Timing?) throws {
    try database.run(
      "UPDATE occurrence SET clock = ?, due = ?, snoozedUntil = ?, civil = ?, zone = ? WHERE id = ?",
      [until.clock.rawValue, until.microseconds, end.microseconds] + Self.columns(timing) + [id])
  }

  /// `civil` and `zone`.
  private static func columns(_ timing: Timing?) -> [(any StatementBinding)?] {
    guard case .civil(let civil, let zone, let floats) = timing else { return [nil, nil] }
    return [civil.description, floats ? nil : zone]
  }

  func alarms(of ids: Set<Int64>) throws -> [Int64: Int64] {
    var alarms: [Int64: Int64] = [:]
    for id in ids { alarms[id] = try database.number("SELECT alarm FROM occurrence WHERE id = ?", [id]) }
    return alarms
  }

  func write(_ mark: RingMark) throws {
    switch mark {
    case .journaled(let ring, let moment):
      try database.run(
        "UPDATE occurrence SET journaledAt = coalesce(journaledAt, ?) WHERE id = ? AND firedAt = ?",
        [moment.microseconds, ring.occurrence, ring.firedAt.microseconds])
    case .ran(let ring, let run):
      try database.run(
        "UPDATE occurrence SET hooks = coalesce(hooks || char(10), '') || ? WHERE id = ? AND firedAt = ?",
        [run.line, ring.occurrence, ring.firedAt.microseconds])
    case .shown(let rings, let bubble, let server, let moment):
      for ring in rings {
        try database.run(
          """
          UPDATE occurrence SET shownAt = coalesce(shownAt, ?), bubble = ?, bubbleServer = ?
          WHERE id = ? AND firedAt = ?
          """,
          [moment.microseconds, Int64(bubble), server, ring.occurrence, ring.firedAt.microseconds])
      }
    }
  }

  /// The moment by which everything that occurrence `o` stands for was over.
  static let overBy = "o.dueAt + coalesce(o.lateness, 0)"

  /// The key of an alarm's last occurrence, without skips that belong to an earlier timing, and without what a clock
  /// that was ahead has left.
  static func lastElapse(of number: String) -> String {
    """
    (SELECT id FROM occurrence WHERE alarm = \(number)
      AND id > coalesce((SELECT wrongUntil FROM alarm WHERE number = \(number)), 0) AND (outcome <> 'skipped' OR id > (
        SELECT coalesce(max(id), 0) FROM occurrence
        WHERE alarm = \(number) AND outcome = 'skipped' AND dismissedAt IS NOT NULL))
      ORDER BY id DESC LIMIT 1)
    """
  }

  /// The last elapse that was used or skipped; nil for none, or if it came from a wrong clock.
  func lastElapse(of number: Int64, at now: Instant) throws -> Instant? {
    guard
      let row = try database.row(
        """
        SELECT max(\(Self.overBy), coalesce(o.firedAt, 0)), o.outcome FROM occurrence o
        WHERE o.id = \(Self.lastElapse(of: "?1"))
        """, [number]),
      let moment = int(row, 0).map({ Instant(microseconds: $0) })
    else { return nil }
    if text(row, 1) == Occurrence.Outcome.skipped.rawValue { return moment }
    return moment - now > Recurrence.farAhead ? nil : moment
  }
}
