import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Glibc
import Testing
import Varlink

@Suite("Wait")
struct WaitTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  /// A call with `more` that has had its first reply and goes on waiting.
  private func waiter(_ call: WaitCall) throws -> Told<WaitCall> {
    let told = try Told(call, of: rig)
    let first = try #require(try told.next())
    #expect(first.reply.rang + first.reply.deleted == [])
    #expect(!first.isLast)
    return told
  }

  private func alarm(_ expression: String) throws -> Int64 {
    try client.call(ScheduleCall(expression: expression)).alarm.number
  }

  private func rings(_ number: Int64, isRecurring: Bool = false) throws {
    let due = try #require(client.call(ShowCall(number: number)).alarm.due)
    rig.clock.advance(due - rig.clock.read().wall)
    try rig.ring(number, next: isRecurring ? .wall(due + .seconds(60)) : nil)
  }

  private func selection(_ numbers: Int64...) -> WireSelection { WireSelection(numbers: numbers) }

  @Test("A ring is answered, another change is not")
  func ring() throws {
    let told = try waiter(WaitCall(numbers: [try alarm("5s")]))
    var edit = EditCall(selection(1))
    edit.label = "soft"
    _ = try client.call(edit)
    try rings(1)
    #expect(try told.next()?.reply.rang == [1])
    #expect(told.isAtEnd)
  }

  @Test("Without `more` there is one reply")
  func plain() throws {
    _ = try alarm("5s")
    let waiting = try rig.connect()
    try waiting.connection.send(WaitCall.qualifiedName, WaitCall(numbers: [1]))
    try rings(1)
    let reply: WaitReply = try waiting.connection.receive(timeout: patience)
    #expect(reply.rang == [1])
  }

  @Test("A ringing alarm, and one that is over because it rang, are answered at once")
  func rangBefore() throws {
    _ = try alarm("5s")
    try rings(1)
    #expect(try client.call(WaitCall(numbers: [1]), timeout: patience).rang == [1])
    _ = try client.call(DismissCall(selection(1)))
    #expect(try client.call(WaitCall(numbers: [1]), timeout: patience).rang == [1])
  }

  @Test("Wait waits for all alarms or for the first, reports each, and accepts identities")
  func many() throws {
    let numbers = try [alarm("5s"), alarm("10s"), alarm("15s")]
    let id = try #require(client.call(ShowCall(number: 3)).alarm.id)
    let all = try waiter(WaitCall(numbers: numbers))
    let first = try waiter(WaitCall(numbers: [2], ids: [id], any: true))
    try rings(1)
    #expect(try all.next()?.reply.rang == [1])
    _ = try client.call(DeleteCall(selection(2)))
    let deleted = try #require(try all.next())
    #expect((deleted.reply.rang, deleted.reply.deleted) == ([1], [2]))
    #expect(!deleted.isLast)
    #expect(try first.next()?.reply.deleted == [2])
    #expect(first.isAtEnd)
    try rings(3)
    let last = try #require(try all.next())
    #expect((last.reply.rang, last.reply.deleted, last.isLast) == ([1, 3], [2], true))
  }

  @Test("A recurring alarm is waited for until its next ring, unless it is ringing")
  func recurring() throws {
    _ = try alarm("*:*:00")
    try rings(1, isRecurring: true)
    #expect(try client.call(WaitCall(numbers: [1]), timeout: patience).rang == [1])
    _ = try client.call(DismissCall(selection(1)))
    let told = try waiter(WaitCall(numbers: [1]))
    try rings(1, isRecurring: true)
    #expect(try told.next()?.reply.rang == [1])
  }

  @Test("A ring since the given moment counts although it is over, an earlier one does not")
  func since() throws {
    _ = try alarm("*:*:00")
    let asked = rig.clock.read().wall
    try rings(1, isRecurring: true)
    _ = try client.call(DismissCall(selection(1)))
    #expect(try client.call(WaitCall(numbers: [1], since: asked), timeout: patience).rang == [1])
    rig.clock.advance(.seconds(1))
    let told = try waiter(WaitCall(numbers: [1], since: rig.clock.read().wall))
    try rings(1, isRecurring: true)
    #expect(try told.next()?.reply.rang == [1])
  }

  @Test("A snoozed alarm is waited for until it rings again")
  func snoozed() throws {
    _ = try alarm("5s")
    try rings(1)
    _ = try client.call(SnoozeCall(selection(1)))
    let told = try waiter(WaitCall(numbers: [1]))
    try rings(1)
    #expect(try told.next()?.reply.rang == [1])
  }

  @Test("A change of too many alarms to name each is answered all the same")
  func startOver() throws {
    for _ in 0..<5 {
      for _ in 0..<60 {
        try client.connection.send(ScheduleCall.qualifiedName, ScheduleCall(expression: "1h"))
      }
      for _ in 0..<60 { _ = try client.connection.receive(as: ScheduleReply.self) }
    }
    let told = try waiter(WaitCall(numbers: [1, 300]))
    _ = try client.call(DeleteCall(WireSelection(ranges: [NumberRange(first: 2, last: 300)])))
    #expect(try told.next()?.reply.deleted == [300])
    try rings(1)
    #expect(try told.next()?.reply.rang == [1])
  }

  @Test(
    "Alarms that will not ring are refused, now and later; waiting for the first, only if none will ring"
  )
  func wrongState() throws {
    let numbers = try [alarm("5s"), alarm("10s")]
    let all = try waiter(WaitCall(numbers: numbers))
    let first = try waiter(WaitCall(numbers: numbers, any: true))
    _ = try client.call(SkipCall(selection(1)))
    #expect(refusal { try all.next() } == .wrongState(number: 1, state: .skipped))
    #expect(
      refusal { try client.call(WaitCall(numbers: numbers)) } == .wrongState(number: 1, state: .skipped))
    _ = try client.call(SkipCall(selection(2)))
    #expect(refusal { try first.next() } == .wrongState(number: 1, state: .skipped))
  }

  @Test("An alarm marked done will not ring, although it rang before it was rescheduled")
  func markedDone() throws {
    _ = try alarm("5s")
    try rings(1)
    var edit = EditCall(selection(1))
    edit.expression = "10s"
    _ = try client.call(edit)
    let told = try waiter(WaitCall(numbers: [1]))
    _ = try client.call(MarkDoneCall(selection(1), done: true))
    #expect(refusal { try told.next() } == .wrongState(number: 1, state: .skipped))
    _ = try alarm("5s")
    let other = try waiter(WaitCall(numbers: [2]))
    _ = try client.call(MarkDoneCall(selection(2), done: true))
    #expect(refusal { try other.next() } == .wrongState(number: 2, state: .skipped))
  }

  @Test("A paused alarm is waited for, because it may be resumed")
  func paused() throws {
    _ = try alarm("5s")
    _ = try client.call(PauseCall(selection(1)))
    let told = try waiter(WaitCall(numbers: [1]))
    _ = try client.call(ResumeCall(selection(1)))
    try rings(1)
    #expect(try told.next()?.reply.rang == [1])
  }

  @Test("Every named alarm must exist, from one to a thousand")
  func refused() throws {
    _ = try alarm("5s")
    #expect(refusal { try client.call(WaitCall(numbers: [1, 7])) } == .noSuchAlarm(numbers: [7], ids: []))
    let id = AlarmID()
    #expect(refusal { try client.call(WaitCall(ids: [id])) } == .noSuchAlarm(numbers: [], ids: [id]))
    #expect(invalidParameter { try client.call(WaitCall()) } == "numbers")
    #expect(invalidParameter { try client.call(WaitCall(numbers: Array(1...1_001))) } == "numbers")
  }

  @Test("A client that leaves with the maximum number of calls is noticed")
  func leavesMany() throws {
    _ = try alarm("5s")
    let leaving = try rig.connect()
    for _ in 0..<ServerLimits().callsInFlight {
      try leaving.connection.send(WaitCall.qualifiedName, WaitCall(numbers: [1]))
    }
    let all: Bool? = eventually { rig.waits == ServerLimits().callsInFlight ? true : nil }
    #expect(all == true)
    leaving.connection.close()
    let none: Bool? = eventually { rig.waits == 0 ? true : nil }
    #expect(none == true)
  }

  @Test("A wait ends when its client leaves, and others continue")
  func leaves() throws {
    _ = try alarm("5s")
    let stays = try waiter(WaitCall(numbers: [1]))
    try waiter(WaitCall(numbers: [1])).client.connection.close()
    let one: Bool? = eventually { rig.waits == 1 ? true : nil }
    #expect(one == true)
    try rings(1)
    #expect(try stays.next()?.reply.rang == [1])
    #expect(rig.waits == 0)
  }
}
