import EggProtocol
import Glibc

/// A million alarms as JSON lines through `eggctl import`, and what eggd takes of memory for it.
enum Importing {
  private static let count = 1_000_000

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let file = "\(bench.disk)/import.jsonl"
    try write(file)
    defer { unlink(file) }
    let state = bench.newState()
    let daemon = try bench.daemon(state: state)
    defer { daemon.end() }
    let before = try daemon.memory()
    let span = try Command.time([bench.eggctl, "import", file], environment: daemon.environment)
    let after = try daemon.memory()
    let client = try daemon.client()
    let stored = try client.call(StatusCall()).totals.alarms
    guard stored == count else { throw BenchFailure("\(stored) alarms are stored") }
    client.connection.close()
    daemon.end()
    let next = try bench.daemon(state: state)
    defer { next.end() }

    let rows = bench.newState()
    try bench.daemonAside(state: rows).end()
    let floor = try PreparedSchedule.fill("\(rows)/eggd/schedule.db", rows: count)
    report.rows += [
      Row(
        "eggctl import, durable", Sample([Double(span) / 1e9]), "s",
        beside: [
          Row.Beside(name: "the rows by SQLite's shell, unsynced", sample: Sample([Double(floor) / 1e9]))
        ]),
      Row("alarms in a second", Sample([Double(count) / (Double(span) / 1e9)]), "/s"),
      Row("resident memory before it", Sample([before.resident]), "MiB"),
      Row("resident memory after it", Sample([after.resident]), "MiB"),
      Row(
        "resident memory after the next start", Sample([try next.memory().resident]), "MiB",
        atMost: before.resident + MiB.ofMarks(2)),
      Row("start to READY with them", .milliseconds([next.timeToReady]), "ms", atMost: 50),
    ]
  }

  private static func write(_ path: String) throws {
    guard let file = fopen(path, "w") else { throw BenchFailure("cannot write \(path): errno \(errno)") }
    defer { fclose(file) }
    let first = Clock.wall() / 1000 + 10 * 86_400 * 1_000_000
    for index in 1...count {
      let moment = first + Int64(index) * 1_000_000
      fputs(
        """
        {"alarm":{"number":0,"state":"scheduled","done":false,"category":"other","eggs":1,"kind":"at",\
        "label":"alarm \(index)","expression":"2030-01-01","instant":\(moment)},"occurrences":[]}

        """, file)
    }
  }
}
