import Alarms
import EggProtocol
import EggTestSupport
import Glibc
import Testing

@Suite("what was acknowledged is there after SIGKILL")
struct DurabilityTests {
  @Test("every reply that came before the kill")
  func acknowledged() throws {
    let daemon = try PrivateDaemon()
    for round in 0..<5 {
      let connection = try daemon.client().connection
      for _ in 0..<60 { try connection.send(ScheduleCall.qualifiedName, ScheduleCall(expression: "1h")) }
      var replied: [Int64] = []
      // the kill comes in the middle of the replies
      for _ in 0..<(10 * round + 5) {
        replied.append(try connection.receive(as: ScheduleReply.self, timeout: patience).alarm.number)
      }
      try daemon.kill()
      while let reply = try? connection.receive(as: ScheduleReply.self, timeout: patience) {
        replied.append(reply.alarm.number)
      }
      try daemon.restart()
      let stored = try daemon.client().call(ListCall()).alarms.map(\.number)
      #expect(Set(stored).isSuperset(of: replied))
    }
  }

  @Test("many that came due while it was dead ring at the start, late, because it was down, each once")
  func catchesUp() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    var due: Int64 = 0
    for index in 0..<300 {
      // None rings before the kill: the entry of one whose ring is stored, but not its entry, is written again.
      let call = ScheduleCall(expression: "3s", manner: Manner(summary: "Egg \(index)!"))
      due = try #require(try client.call(call).alarm.due).microseconds
    }
    try daemon.kill()
    /// `<5>Egg 7`, of each ring: a late one says how late it is.
    func rings() -> [Substring] {
      daemon.process.errors.map(\.text).filter { $0.hasPrefix("<5>Egg ") }.map { $0.prefix { $0 != "!" } }
    }
    // what is less than a second late needs no reason
    _ = eventually { now() > due + 1_100_000 ? true : nil }
    try daemon.restart()
    let counts: [Substring: Int]? = eventually {
      let rung = rings()
      return Set(rung).count == 300 ? Dictionary(grouping: rung, by: { $0 }).mapValues(\.count) : nil
    }
    #expect(try #require(counts, "not all rang").values.allSatisfy { $0 == 1 })
    let last = try #require(
      eventually {
        let alarms = try? daemon.client().call(ListCall()).alarms
        return alarms.flatMap { $0.allSatisfy { $0.latest?.firedAt != nil } ? $0 : nil }
      })
    #expect(last.count == 300)
    #expect(last.allSatisfy { $0.latest?.lateReason == .down }, "\(last.map(\.latest?.lateReason))")
  }

  @Test("a deleted alarm stays deleted")
  func deleted() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    let number = try client.call(ScheduleCall(expression: "1s", manner: Manner(summary: "Gone!"))).alarm
    _ = try client.call(DeleteCall(WireSelection(numbers: [number.number])))
    try daemon.kill()
    try daemon.restart()
    let later = try daemon.client().call(
      ScheduleCall(expression: "1200ms", manner: Manner(summary: "Later!"))
    ).alarm
    #expect(later.number > number.number)
    #expect(daemon.process.waitForError(containing: "Later!") != nil)
    #expect(!daemon.process.errors.contains { $0.text.contains("Gone!") })
  }
}
