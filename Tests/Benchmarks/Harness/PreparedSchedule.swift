import Glibc

/// A schedule of very many alarms, written with SQLite's own shell where a million imports would take minutes.
enum PreparedSchedule {
  /// When the first of them is due: s from the filling.
  static let ahead: Int64 = 10 * 86_400

  /// `database` has eggd's tables. The alarms are one second apart, and on the disk on return. How long SQLite's shell took
  /// to write them, in ns; the disk took longer.
  @discardableResult
  static func fill(_ database: String, rows: Int) throws -> Int64 {
    guard Command.path("sqlite3") != nil else { throw BenchFailure("sqlite3 is not installed") }
    let first = Clock.wall() / 1000 + ahead * 1_000_000
    let span = try Command.time([
      "sqlite3", database,
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000;
      BEGIN;
      WITH RECURSIVE each (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM each WHERE i < \(rows))
      INSERT INTO alarm (number, id, label, position, kind, instant, expression, readingZone, createdAt, due)
      SELECT i, printf('%08x-0000-4000-8000-%012x', i, i), 'alarm ' || i, i << 20, 'at',
        \(first) + i * 1000000, '2030-01-01', 'UTC', \(Clock.wall() / 1000), \(first) + i * 1000000
      FROM each;
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
