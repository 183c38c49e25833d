import EggProtocol
import Glibc

/// A million alarms as JSON lines through `eggctl import`: alone, and while another client adds one now and then.
enum Importing {
  private static let count = 1_000_000

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let file = "\(bench.disk)/import.jsonl"
    try write(file)
    defer { unlink(file) }
    let alone = try imports(file, bench, besideAdds: false)
    let rows = bench.newState()
    try bench.daemonAside(state: rows).end()
    let floor = try PreparedSchedule.fill("\(rows)/eggd/schedule.db", rows: count)
    let beside = try imports(file, bench, besideAdds: true)
    report.rows += [
      Row(
        "eggctl import, durable", Sample([Double(alone.span) / 1e9]), "s", atMost: 20,
        beside: [
          Row.Beside(
            name: "the rows by SQLite's shell, unsynced", sample: Sample([Double(floor) / 1e9]), atMost: 4)
        ]),
      Row("alarms in a second", Sample([Double(count) / (Double(alone.span) / 1e9)]), "/s"),
      Row("an import while another client adds", Sample([Double(beside.span) / 1e9]), "s", atMost: 20),
      Row(
        "the longest add meanwhile", Sample([Double(beside.adds.max() ?? 0) / 1e9]), "s", atMost: 10),
    ]
  }

  /// Imports the file into an empty schedule.
  ///
  /// - Parameter besideAdds: Another client adds alarms meanwhile.
  /// - Returns: How long the import took, and each of the adds, in ns.
  private static func imports(
    _ file: String, _ bench: Workbench, besideAdds: Bool
  ) throws -> (span: Int64, adds: [Int64]) {
    let daemon = try bench.daemon(state: bench.newState())
    defer { daemon.end() }
    let stop = Stop()
    defer { stop.set() }
    let path = daemon.socket
    let adding = Worker { besideAdds ? try adds(path, until: stop) : [] }
    let span = try Command.time([bench.eggctl, "import", file], environment: daemon.environment)
    stop.set()
    let added = try adding.value()
    let client = try daemon.client()
    defer { client.connection.close() }
    let stored = try client.call(StatusCall()).totals.alarms
    guard stored == count + added.count else { throw BenchFailure("\(stored) alarms are stored") }
    return (span, added)
  }

  /// One add each 20 ms, in ns from the planned moment: one that has to wait delays the next ones, and their users.
  private static func adds(_ path: String, until stop: Stop) throws -> [Int64] {
    let wire = try Wire(path: path)
    let call = Wire.call("Schedule", #"{"expression":"6h30m","label":"two soft ones"}"#)
    var spans: [Int64] = []
    var planned = Clock.steady()
    while !stop.isSet {
      _ = try wire.time(call)
      let now = Clock.steady()
      spans.append(now - planned)
      planned += 20_000_000
      if planned > now { Clock.sleep(Double(planned - now) / 1e9) }
    }
    guard wire.errors == 0 else { throw BenchFailure("\(wire.errors) adds were refused") }
    return spans
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
