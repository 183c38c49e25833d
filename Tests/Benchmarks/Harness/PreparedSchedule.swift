import Glibc

/// A schedule of very many alarms, written with SQLite's own shell where a million imports would take minutes.
enum PreparedSchedule {
  /// When the first of them is due: s from the filling.
  static let ahead: Int64 = 10 * 86_400

  /// `database` has eggd's tables. The alarms are one second apart, and on the disk on return. 1 000 of them are in a
  /// group, `thousand`. How long SQLite's shell took
  /// to write them, in ns; the disk took longer.
  @discardableResult
  static func fill(_ database: String, rows: Int) throws -> Int64 {
    let first = Clock.wall() / 1000 + ahead * 1_000_000
    return try write(
      database, rows,
      """
      INSERT INTO alarm (number, id, label, position, kind, instant, expression, readingZone, createdAt, due)
      SELECT i, printf('%08x-0000-4000-8000-%012x', i, i), 'alarm ' || i, i << 20, 'at',
        \(first) + i * 1000000, '2030-01-01', 'UTC', \(Clock.wall() / 1000), \(first) + i * 1000000
      FROM each;
      INSERT INTO alarm_group (id, name, createdAt) VALUES ('thousand', 'thousand', 0);
      UPDATE alarm SET "group" = 'thousand' WHERE number <= 1000;
      """)
  }

  /// The same with alarms that rang one second after the other until a day ago, are in the journal, and have no bubble.
  static func fillWithRings(_ database: String, rows: Int) throws {
    let first = Clock.wall() / 1000 - (Int64(rows) + 86_400) * 1_000_000
    let moment = "\(first) + i * 1000000"
    _ = try write(
      database, rows,
      """
      INSERT INTO alarm (
        number, id, label, position, kind, instant, expression, readingZone, createdAt, state, overAt)
      SELECT i, printf('%08x-0000-4000-8000-%012x', i, i), 'alarm ' || i, i << 20, 'at', \(moment),
        '2020-01-01', 'UTC', \(first), 'over', \(moment)
      FROM each;
      """,
      """
      INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, journaledAt, lateness)
      SELECT \(moment), i, \(moment), 'rung', \(moment), \(moment), 0 FROM each;
      """)
  }

  /// Each statement with the numbers from 1 to `rows` as `each (i)`.
  private static func write(_ database: String, _ rows: Int, _ statements: String...) throws -> Int64 {
    guard Command.path("sqlite3") != nil else { throw BenchFailure("sqlite3 is not installed") }
    let each = "WITH RECURSIVE each (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM each WHERE i < \(rows))\n"
    let span = try Command.time([
      "sqlite3", database,
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000;
      BEGIN;
      \(statements.map { each + $0 }.joined(separator: "\n"))
      COMMIT;
      PRAGMA journal_mode = WAL;
      """,
    ])
    // else it would be written while something is measured
    let descriptor = open(database, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw BenchFailure("cannot sync \(database): errno \(errno)") }
    return span
  }
}
