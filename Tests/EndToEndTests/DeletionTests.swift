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
    var silent: Set<String> = []
    var rang: Set<String> = []
    for round in 0..<200 {
      // due 8 to 12 ms ahead; the deletion is sent when that moment is 4 ms ahead to 0.5 ms over
      let ahead = 8_000 + Int64(round % 5) * 1_000
      let alarm = try maker.call(
        ScheduleCall(expression: "\(ahead)us", manner: Manner(summary: "Egg\(round)!"))
      ).alarm
      let due = try #require(alarm.due).microseconds
      let moment = due - 4_000 + Int64(round % 16) * 300
      while now() < moment {}
      let reply = try deleter.call(DeleteCall(WireSelection(numbers: [alarm.number])))
      #expect(reply.deleted == [alarm.number])
      if reply.rang.isEmpty { silent.insert("Egg\(round)!") } else { rang.insert("Egg\(round)!") }
    }
    // what rings after these has rung after all that could ring
    _ = try maker.call(ScheduleCall(expression: "50ms", manner: Manner(summary: "Last!")))
    _ = try #require(daemon.process.waitForError(containing: "Last!"))
    let heard = Set(
      daemon.process.errors.compactMap { $0.text.split(separator: ">").last?.split(separator: " ").first })
    #expect(silent.allSatisfy { !heard.contains($0[...]) })
    #expect(rang.allSatisfy { heard.contains($0[...]) })
    #expect(!silent.isEmpty && !rang.isEmpty, "no race: \(silent.count) silent, \(rang.count) rang")
  }

  @Test("a row that another program removed 100 ms ahead does not ring, its connection left open")
  func foreignDelete() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    var gone: [(number: Int64, due: Int64)] = []
    for round in 0..<8 {
      let call = ScheduleCall(
        expression: "\(2_000 + round * 250)ms", manner: Manner(summary: "Gone\(round)!"))
      let alarm = try client.call(call).alarm
      gone.append((alarm.number, try #require(alarm.due).microseconds))
    }
    let keep = try client.call(ScheduleCall(expression: "4s", manner: Manner(summary: "Kept!"))).alarm
    let foreign = try foreignConnection(
      to: daemon,
      running: gone.map { ("DELETE FROM alarm WHERE number = \($0.number)", $0.due - 120_000) })
    _ = try #require(daemon.process.waitForError(containing: "Kept!"))
    _ = try client.call(ScheduleCall(expression: "50ms", manner: Manner(summary: "Last!")))
    _ = try #require(daemon.process.waitForError(containing: "Last!"))
    #expect(foreign.isRunning)
    let committed = foreign.output.compactMap { Int64($0.text) }
    try #require(committed.count == gone.count, "\(foreign.errors)")
    // on a busy machine some come too late to be noticed in time
    let ahead = (0..<gone.count).filter { committed[$0] <= gone[$0].due - 100_000 }
    try #require(!ahead.isEmpty, "the machine was too slow to try it")
    for round in ahead {
      #expect(!daemon.process.errors.contains { $0.text.contains("Gone\(round)!") }, "round \(round)")
    }
    #expect(try client.call(ListCall()).alarms.map(\.number).contains(keep.number))
  }

  @Test("a foreign lock held longer than the busy time-out delays a change, no ring; then all goes on")
  func foreignLock() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    _ = try client.call(ScheduleCall(expression: "2s", manner: Manner(summary: "Locked!")))
    let foreign = try foreignConnection(to: daemon, running: [("BEGIN IMMEDIATE", 0)])
    _ = try #require(eventually { foreign.output.first }, "\(foreign.errors)")
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

  /// Another program's connection to the database, left open after its statements, each at its moment in µs. It prints
  /// when each was done.
  private func foreignConnection(
    to daemon: PrivateDaemon, running statements: [(text: String, moment: Int64)]
  ) throws -> ChildProcess {
    let program = """
      import signal, sqlite3, sys, time
      connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
      for statement, moment in zip(sys.argv[2::2], sys.argv[3::2]):
          time.sleep(max(int(moment) / 1e6 - time.time(), 0))
          connection.execute(statement)
          print(time.time_ns() // 1000, flush=True)
      signal.pause()
      """
    return try ChildProcess(
      ["python3", "-c", program, daemon.database] + statements.flatMap { [$0.text, String($0.moment)] },
      environment: daemon.environment)
  }
}
