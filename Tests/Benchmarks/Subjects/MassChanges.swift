import EggProtocol
import Glibc

/// Changes of 100 000 alarms, or as many as `--to` says, one after the other. Meanwhile another client adds and deletes
/// alarms, and others ring. Beside it, 128 bytes are written and synced as often: how long the disk itself takes at worst.
enum MassChanges {
  private static let usual = 100_000
  /// Between two calls, and between two rings, in ms.
  private static let (pace, ringing) = (20, 100)

  private struct Verb {
    var name: String
    var method: String
    var parameters: String
  }

  private static func verbs(_ count: Int) -> [Verb] {
    let stored = #""ranges":[{"first":1,"last":\#(count)}]"#
    func verb(_ name: String, _ method: String, _ more: String = "", selects: Bool = true) -> Verb {
      Verb(name: name, method: method, parameters: "{\(selects ? stored : "")\(more)}")
    }
    let undo = verb("undo of that", "Undo", selects: false)
    return [
      verb("done", "MarkDone", #","done":true"#), undo,
      verb("done", "MarkDone", #","done":true"#), verb("undone", "MarkDone", #","done":false"#),
      verb("edit of the label", "Edit", #","label":"two soft ones""#), undo,
      verb("edit of the time", "Edit", #","expression":"30d""#),
      verb("pause", "Pause"), verb("resume", "Resume"),
      verb("extend", "Extend", #","span":60000000"#), undo,
      verb("skip", "Skip"), undo,
      verb("a move to the top", "Move", #","place":"top""#), undo,
      verb("a group for all", "Edit", #","group":"thousand""#),
      verb("a group's new name", "EditGroup", #""name":"thousand","newName":"many""#, selects: false),
      verb(
        "delete of a group whose alarms stay", "DeleteGroup", #""name":"many","alarms":"keep""#,
        selects: false),
      undo,
      verb("delete", "Delete"), undo,
      verb(
        "delete of a group with its alarms", "DeleteGroup", #""name":"many","alarms":"delete""#,
        selects: false),
      undo,
    ]
  }

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let count = bench.largest ?? usual
    let state = bench.newState()
    try bench.daemonAside(state: state).end()
    try PreparedSchedule.fill("\(state)/eggd/schedule.db", rows: count)
    let daemon = try bench.daemon(state: state)
    defer { daemon.end() }
    let wire = try Wire(path: daemon.socket)
    let calm = try meanwhile(bench, daemon, seconds: 3) { Clock.sleep(3) }
    report.rows += rows("with no such change", calm, calm)
    for verb in verbs(count) {
      if verb.method == "Undo" { try undoOthers(daemon) }
      let busy = try meanwhile(bench, daemon, seconds: 120, after: verb.method == "Undo" ? 0.02 : 0) {
        _ = try wire.time(Wire.call(verb.method, verb.parameters))
        guard wire.errors == 0 else { throw BenchFailure("\(verb.name) was refused") }
      }
      report.rows.append(
        Row("\(verb.name) of \(Double(count).grouped)", Sample([Double(busy.span) / 1e9]), "s"))
      report.rows += rows("meanwhile", busy, calm)
    }
  }

  /// An undo takes back the last change, which is to be the large one.
  private static func undoOthers(_ daemon: Daemon) throws {
    let client = try daemon.client()
    defer { client.connection.close() }
    while try client.call(UndoCall(preview: true)).count == 1 { _ = try client.call(UndoCall()) }
  }

  private struct Busy {
    var span: Int64
    var adds: [Int64]
    var deletes: [Int64]
    var lateness: [Int64]
    /// What writes of 128 bytes to the same disk took.
    var floor: [Int64]
  }

  private static func rows(_ when: String, _ busy: Busy, _ calm: Busy) -> [Row] {
    let disk = [Row.Beside(name: "128 B + fdatasync", sample: .milliseconds(busy.floor))]
    return [
      Row("\(when): one add, p99", .milliseconds(busy.adds), "ms", part: .p99, atMost: 50, beside: disk),
      Row("\(when): one add, the slowest", .milliseconds(busy.adds), "ms", part: .most, beside: disk),
      Row(
        "\(when): one deletion, p99", .milliseconds(busy.deletes), "ms", part: .p99, atMost: 50, beside: disk),
      Row("\(when): an alarm's lateness", .milliseconds(busy.lateness), "ms", atMost: 1),
    ].filter { !$0.sample.values.isEmpty }
  }

  /// What others notice while that is done, and until 0.1 s after it.
  private static func meanwhile(
    _ bench: Workbench, _ daemon: Daemon, seconds: Int, after delay: Double = 0, _ body: () throws -> Void
  ) throws -> Busy {
    bench.forgetRings()
    // Before an undo they would be the last change.
    if delay == 0 {
      let first = Clock.wall() / 1_000_000 + 600
      let moments = stride(from: 0, to: min(seconds * 1_000, 15_000), by: ringing).map {
        (first + Int64($0)) * 1_000
      }
      try SingleAlarms.schedule(moments, daemon)
      Clock.sleep(0.3)
    }
    let stop = Stop()
    let path = daemon.socket
    let working = Worker {
      Clock.sleep(delay)
      return try work(path, until: stop)
    }
    let floor = try DurableWrite(path: "\(bench.disk)/floor")
    let writing = Worker { write(floor, until: stop) }
    let begin = Clock.steady()
    let begun = Clock.wall()
    try body()
    let span = Clock.steady() - begin
    let ended = Clock.wall()
    Clock.sleep(0.1)
    stop.set()
    let (spans, writes) = (try working.value(), try writing.value())
    let rings = bench.journal.takeAll().filter { ($0.dueAt ?? 0) > begun && ($0.dueAt ?? 0) < ended }
    return Busy(
      span: span, adds: spans.adds, deletes: spans.deletes, lateness: rings.map(\.lateness), floor: writes)
  }

  /// Writes at the same pace, in ns.
  private static func write(_ floor: DurableWrite, until stop: Stop) -> [Int64] {
    var spans: [Int64] = []
    while !stop.isSet {
      let span = floor.time()
      spans.append(span)
      Clock.sleep(max(0, Double(pace) / 1e3 - Double(span) / 1e9))
    }
    return spans
  }

  /// Adds and deletes by turns, in ns from the planned moments: who has to wait delays the next ones, and their users.
  private static func work(_ path: String, until stop: Stop) throws -> (adds: [Int64], deletes: [Int64]) {
    let client = try ScheduleClient(path: path)
    defer { client.connection.close() }
    var spans: (adds: [Int64], deletes: [Int64]) = ([], [])
    var planned = Clock.steady()
    func measured<Value>(_ body: () throws -> Value) throws -> (value: Value, span: Int64) {
      let value = try body()
      let now = Clock.steady()
      let span = now - planned
      planned += Int64(pace) * 1_000_000
      if planned > now { Clock.sleep(Double(planned - now) / 1e9) }
      return (value, span)
    }
    while !stop.isSet {
      let add = try measured {
        try client.call(ScheduleCall(expression: "30d", label: "two soft ones")).alarm.number
      }
      let delete = try measured { _ = try client.call(DeleteCall(WireSelection(numbers: [add.value]))) }
      spans.adds.append(add.span)
      spans.deletes.append(delete.span)
    }
    return spans
  }
}
