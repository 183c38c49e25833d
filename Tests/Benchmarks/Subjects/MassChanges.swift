import EggProtocol
import Glibc

/// Changes of 1 000, 10 000 and 100 000 alarms, one after the other: how long each takes, and the longest that another
/// client waits meanwhile for its add. Other alarms ring all the time.
enum MassChanges {
  /// How many alarms, and how long a change of them may take, in s.
  private static let sizes = [(1_000, 0.1), (10_000, 0.3), (100_000, 3)]
  /// Between two calls, and between two rings, in ms.
  private static let (pace, ringing) = (5, 50)

  private struct Verb {
    var name: String
    var method: String
    var parameters: String
    /// For each alarm a next moment is computed.
    var computes = false
  }

  private static func verbs(_ count: Int) -> [Verb] {
    let stored = #""ranges":[{"first":1,"last":\#(count)}]"#
    func verb(
      _ name: String, _ method: String, _ more: String = "", selects: Bool = true, computes: Bool = false
    ) -> Verb {
      Verb(name: name, method: method, parameters: "{\(selects ? stored : "")\(more)}", computes: computes)
    }
    let undo = verb("undo of that", "Undo", selects: false)
    let undoEach = verb("undo of that", "Undo", selects: false, computes: true)
    return [
      verb("done", "MarkDone", #","done":true"#), undo,
      verb("done", "MarkDone", #","done":true"#), verb("undone", "MarkDone", #","done":false"#),
      verb("edit of the label", "Edit", #","label":"two soft ones""#), undo,
      verb("edit of the time", "Edit", #","expression":"30d""#),
      verb("pause", "Pause"), verb("resume", "Resume"),
      verb("extend", "Extend", #","span":60000000"#), undo,
      verb("skip", "Skip", computes: true), undoEach,
      verb("a move to the top", "Move", #","place":"top""#), undo,
      verb("a group for all", "Edit", #","group":"all""#),
      verb("a group's new name", "EditGroup", #""name":"all","newName":"many""#, selects: false),
      verb(
        "delete of a group whose alarms stay", "DeleteGroup", #""name":"many","alarms":"keep""#,
        selects: false),
      undo,
      verb("delete", "Delete"), undo, verb("redo of the deletion", "Redo", selects: false), undo,
      verb(
        "delete of a group with its alarms", "DeleteGroup", #""name":"many","alarms":"delete""#,
        selects: false),
      undo,
      verb("edit to every day", "Edit", #","expression":"daily""#, computes: true),
      verb("skip of what recurs", "Skip", computes: true), undoEach,
      verb("pause of what recurs", "Pause", computes: true), verb("resume of it", "Resume", computes: true),
    ]
  }

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    for (count, mark) in sizes { report.rows += try rows(of: count, atMost: mark, bench) }
  }

  private static func rows(of count: Int, atMost mark: Double, _ bench: Workbench) throws -> [Row] {
    let state = bench.newState()
    try bench.daemonAside(state: state).end()
    try PreparedSchedule.fill("\(state)/eggd/schedule.db", rows: count)
    let daemon = try bench.daemon(state: state)
    defer { daemon.end() }
    let wire = try Wire(path: daemon.socket)
    let size = Double(count).grouped
    bench.forgetRings()
    let first = Clock.wall() / 1_000_000 + 1_000
    // As long as all changes may take.
    let moments = stride(from: 0, to: Int64(30_000 * mark), by: ringing).map { (first + Int64($0)) * 1_000 }
    try SingleAlarms.schedule(moments, daemon)
    let client = try daemon.client()
    _ = try client.call(CreateGroupCall(name: "all"))
    client.connection.close()
    Clock.sleep(until: first * 1_000_000)
    var rows: [Row] = []
    for verb in verbs(count) {
      let busy = try time(verb, wire, daemon)
      let atMost = verb.computes ? 3 * mark : mark
      rows.append(Row("\(verb.name) of \(size)", Sample([Double(busy.span) / 1e9]), "s", atMost: atMost))
      guard let longest = busy.adds.max() else { continue }
      rows.append(
        Row("\(verb.name): the longest add meanwhile", Sample([Double(longest) / 1e9]), "s", atMost: atMost))
    }
    let late = bench.journal.takeAll().filter { $0.dueAt != nil }.map(\.lateness)
    rows.append(
      Row("an alarm's lateness meanwhile, \(size)", .milliseconds(late), "ms", part: .p99, atMost: 2))
    return rows
  }

  /// Another client adds alarms meanwhile, but beside an undo: an add would be the last change, and end what can be redone.
  private static func time(_ verb: Verb, _ wire: Wire, _ daemon: Daemon) throws -> (
    span: Int64, adds: [Int64]
  ) {
    let isAlone = verb.method == "Undo" || verb.method == "Redo"
    let stop = Stop()
    let path = daemon.socket
    let adding = Worker { isAlone ? [] : try adds(path, until: stop) }
    if !isAlone { Clock.sleep(0.05) }
    let span = try wire.time(Wire.call(verb.method, verb.parameters))
    stop.set()
    let waits = try adding.value()
    guard wire.errors == 0 else { throw BenchFailure("\(verb.name) was refused") }
    if !isAlone { try undo(waits.count, daemon) }
    return (span, waits)
  }

  /// Undoes those of the adds that came after the large change. The next verb may undo that one.
  private static func undo(_ adds: Int, _ daemon: Daemon) throws {
    let client = try daemon.client()
    defer { client.connection.close() }
    for _ in 0..<adds where try client.call(UndoCall(preview: true)).count == 1 {
      _ = try client.call(UndoCall())
    }
  }

  /// How long each add took, in ns.
  private static func adds(_ path: String, until stop: Stop) throws -> [Int64] {
    let wire = try Wire(path: path)
    let call = Wire.call("Schedule", #"{"expression":"30d","label":"two soft ones"}"#)
    var spans: [Int64] = []
    while !stop.isSet {
      spans.append(try wire.time(call))
      Clock.sleep(Double(pace) / 1e3)
    }
    guard wire.errors == 0 else { throw BenchFailure("an add was refused") }
    return spans
  }
}
