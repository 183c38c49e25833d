import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Glibc
import Testing

@Suite("an alarm that was deleted does not ring")
struct DeletionTests {
  @Test("not even when the deletion races with the ring: what the reply does not name as rung stays silent")
  func race() throws {
    let daemon = try PrivateDaemon()
    let maker = try daemon.client()
    let deleter = try daemon.client()
    var silent: [Int64: Int64] = [:]
    var rang: Set<Int64> = []
    for round in 0..<200 {
      // due 3 to 7 ms ahead; the deletion is sent when that moment is 1 ms ahead to 0.5 ms over
      let ahead = 3_000 + Int64(round % 5) * 1_000
      let alarm = try maker.call(ScheduleCall(expression: "\(ahead)us")).alarm
      let due = try #require(alarm.due).microseconds
      let moment = due - 1_000 + Int64(round % 16) * 100
      while now() < moment {}
      let reply = try deleter.call(DeleteCall(WireSelection(numbers: [alarm.number])))
      let answered = now()
      #expect(reply.deleted == [alarm.number])
      if reply.rang.isEmpty { silent[alarm.number] = answered } else { rang.insert(alarm.number) }
    }
    // what rings after these has rung after all that could ring
    _ = try maker.call(ScheduleCall(expression: "50ms", summary: "Last!"))
    _ = try #require(daemon.process.waitForError(containing: "Last!"))
    let rings = daemon.process.errors.filter { $0.text == "<5>Wait! Your eggs are almost done!" }
    #expect(rings.count == rang.count, "\(silent.count) silent, \(rang.count) rang")
    #expect(!silent.isEmpty && !rang.isEmpty, "no race: \(silent.count) silent, \(rang.count) rang")
  }

  @Test("a row that sqlite3 removed 100 ms ahead does not ring, its connection left open")
  func foreignDelete() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    let keep = try client.call(ScheduleCall(expression: "1500ms", summary: "Kept!")).alarm
    let gone = try client.call(ScheduleCall(expression: "1500ms", summary: "Gone!")).alarm
    // sqlite3 reads on from a fifo that stays open, so that its connection does
    let fifo = daemon.directory + "/sql"
    mkfifo(fifo, 0o600)
    let foreign = try ChildProcess(
      ["bash", "-c", "exec sqlite3 -cmd '.timeout 5000' \"$1\" <>\"$2\"", "bash", daemon.database, fifo],
      environment: daemon.environment)
    try write("DELETE FROM alarm WHERE number = \(gone.number); SELECT 'done';\n", to: fifo)
    _ = try #require(eventually { foreign.output.first { $0.text == "done" } }, "\(foreign.errors)")
    let due = try #require(gone.due).microseconds
    try #require(now() < due - 100_000, "the machine was too slow to try it")
    _ = try #require(daemon.process.waitForError(containing: "Kept!"))
    _ = try client.call(ScheduleCall(expression: "50ms", summary: "Last!"))
    _ = try #require(daemon.process.waitForError(containing: "Last!"))
    #expect(foreign.isRunning)
    #expect(!daemon.process.errors.contains { $0.text.contains("Gone!") })
    #expect(try client.call(ListCall()).alarms.map(\.number).contains(keep.number))
  }

  @Test("a foreign lock held longer than the busy time-out delays a change, no ring; then all goes on")
  func foreignLock() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    _ = try client.call(ScheduleCall(expression: "800ms", summary: "Locked!"))
    let fifo = daemon.directory + "/sql"
    mkfifo(fifo, 0o600)
    let foreign = try ChildProcess(
      ["bash", "-c", "exec sqlite3 \"$1\" <>\"$2\"", "bash", daemon.database, fifo],
      environment: daemon.environment)
    try write("BEGIN IMMEDIATE; SELECT 'locked';\n", to: fifo)
    _ = try #require(eventually { foreign.output.first { $0.text == "locked" } }, "\(foreign.errors)")
    #expect(daemon.process.waitForError(containing: "Locked!") != nil)
    let shown = eventually {
      try? client.call(ListCall()).alarms.first { $0.latest?.firedAt == nil }
    }
    #expect(shown != nil, "it can't have been recorded under another's lock")
    // the busy time-out is 5 s
    let refused = try daemon.eggctl("schedule", "1h")
    #expect(refused.status == 1, "\(refused)")
    foreign.signal(SIGKILL)
    let recorded: Bool? = eventually {
      let alarms = try? client.call(ListCall()).alarms
      return alarms?.first?.latest?.firedAt != nil ? true : nil
    }
    #expect(recorded == true)
    #expect(try daemon.eggctl("schedule", "1h").status == 0)
  }

  private func write(_ text: String, to fifo: String) throws {
    let descriptor = open(fifo, O_RDWR)
    guard descriptor >= 0 else { throw SystemFailure(call: "open \(fifo)", errno: errno) }
    let bytes = Array(text.utf8)
    // left open by the reader itself, which has it for reading and writing
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw SystemFailure(call: "write \(fifo)", errno: errno)
    }
  }
}
