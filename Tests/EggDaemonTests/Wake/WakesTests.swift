import Alarms
import CLinux
import EggProtocol
import EggTestSupport
import EggTime
import Glibc
import Testing

@testable import EggDaemon

@Suite("Waking the machine")
struct WakesTests {
  private let directory: String
  private var paths: [String] { ["\(directory)/system.sock", "\(directory)/user.sock"] }

  init() throws {
    var template = Array("/tmp/eggd-wakes.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// How Status has it once `isSo`.
  private func status(_ client: ScheduleClient, _ isSo: (StatusReply) -> Bool) throws -> StatusReply? {
    try eventually {
      let reply = try client.call(StatusCall(), timeout: patience)
      return isSo(reply) ? reply : nil
    }
  }

  @Test("Nothing is connected for alarms that do not ask for it")
  func notNeeded() throws {
    let waker = try FakeWaker(paths[0], answer: .armed)
    defer { waker.end() }
    let rig = try WireRig(wakers: paths)
    let client = try rig.connect()
    _ = try client.call(ScheduleCall(expression: "1h"))
    let status = try client.call(StatusCall(), timeout: patience)
    #expect(status.wake == nil && status.wakeAt == nil)
    #expect(waker.moments == [])
  }

  @Test("eggd-wake is told the earliest moment, and each time it changes")
  func moments() throws {
    let waker = try FakeWaker(paths[0], answer: .armed)
    defer { waker.end() }
    let rig = try WireRig(wakers: paths)
    let client = try rig.connect()
    let now = rig.clock.read().wall
    var expected: [Instant?] = []
    /// - Parameter seconds: From the start; nil for no moment.
    func expectNext(_ seconds: Int64?, _ comment: Comment) throws {
      let moment = seconds.map { now + .seconds($0) }
      let told = try status(client) { $0.wakeAt == moment && $0.wake == (moment == nil ? nil : .ready) }
      #expect(told != nil, comment)
      expected.append(moment)
      #expect(eventually { waker.moments == expected ? true : nil } == true, "\(comment): \(waker.moments)")
    }
    let first = try client.call(ScheduleCall(expression: "2h", manner: Manner(wake: true))).alarm.number
    try expectNext(7_200, "a countdown")
    _ = try client.call(ScheduleCall(expression: "30m"))
    let second = try client.call(
      ScheduleCall(expression: "23:34:30", zone: "Europe/Paris", manner: Manner(wake: true))
    ).alarm
    #expect(second.due == now + .seconds(3_600))
    try expectNext(3_600, "a moment before it; one between that does not ask is left out")
    var edit = EditCall(WireSelection(numbers: [second.number]))
    edit.wake = false
    _ = try client.call(edit)
    try expectNext(7_200, "it asks no more")
    rig.clock.step(.seconds(100))
    rig.handler.clockStepped()
    try expectNext(7_300, "the clock was set: the countdown ends later on it")
    rig.clock.advance(.seconds(7_200))
    try rig.ring(first)
    try expectNext(nil, "it rang")
    _ = try client.call(SnoozeCall(WireSelection(numbers: [first]), span: .seconds(300)))
    try expectNext(7_600, "it was snoozed")
    _ = try client.call(DeleteCall(WireSelection(numbers: [first])))
    try expectNext(nil, "it was deleted")
  }

  @Test("A moment that is past is followed by the next, though its ring may not be stored yet")
  func past() throws {
    let waker = try FakeWaker(paths[0], answer: .armed)
    defer { waker.end() }
    let rig = try WireRig(wakers: paths)
    let client = try rig.connect()
    let now = rig.clock.read().wall
    for span in ["1m", "2m"] {
      _ = try client.call(ScheduleCall(expression: span, manner: Manner(wake: true)))
    }
    #expect(try status(client) { $0.wake == .ready } != nil)
    rig.clock.advance(.seconds(60))
    waker.say(.past)
    #expect(try status(client) { $0.wakeAt == now + .seconds(120) } != nil)
    #expect(eventually { waker.moments.last == now + .seconds(120) ? true : nil } == true)
  }

  @Test(
    "Why the machine does not wake is told",
    arguments: [
      (nil, nil, WakeState.nobody), (.notPermitted, nil, .notPermitted), (.noClock, nil, .noClock),
      (.notPermitted, .armed, .ready), (nil, .notPermitted, .notPermitted),
    ] as [(WakerConnection.Answer?, WakerConnection.Answer?, WakeState)])
  func problems(
    system: WakerConnection.Answer?, user: WakerConnection.Answer?, expected: WakeState
  ) throws {
    let wakers = try zip(paths, [system, user]).compactMap { path, answer in
      try answer.map { try FakeWaker(path, answer: $0) }
    }
    defer { for waker in wakers { waker.end() } }
    let rig = try WireRig(wakers: paths)
    let client = try rig.connect()
    _ = try client.call(ScheduleCall(expression: "1h", manner: Manner(wake: true)))
    #expect(try status(client) { $0.wake == expected } != nil)
  }

  @Test("A connection that is closed is tried once more; why none is answered depends on who listens")
  func notStarted() throws {
    let waker = try FakeWaker(paths[1], answer: nil)
    defer { waker.end() }
    let rig = try WireRig(wakers: paths)
    let client = try rig.connect()
    _ = try client.call(ScheduleCall(expression: "1h", manner: Manner(wake: true)))
    // The test itself listens.
    let mayWake = clinux_may_wake(getpid()) == 1
    let expected = mayWake ? WakeState.noAnswer : .notPermitted
    #expect(try client.call(StatusCall(), timeout: patience).wake == expected)
    #expect(waker.moments.count == (mayWake ? 2 : 1))
  }

  @Test(
    "A connection that eggd-wake closed while it was ending is not taken for a refusal",
    .enabled(if: clinux_may_wake(getpid()) == 1, "needs CAP_WAKE_ALARM"))
  func ending() throws {
    let waker = try FakeWaker(paths[1], answer: .armed, closing: 1)
    defer { waker.end() }
    let rig = try WireRig(wakers: paths)
    let client = try rig.connect()
    _ = try client.call(ScheduleCall(expression: "1h", manner: Manner(wake: true)))
    #expect(try client.call(StatusCall(), timeout: patience).wake == .ready)
  }

  @Test("eggd-wake is told the moment when its socket appears, and again when it was restarted")
  func later() throws {
    let rig = try WireRig(wakers: paths)
    let client = try rig.connect()
    let due = try client.call(ScheduleCall(expression: "1h", manner: Manner(wake: true))).alarm.due
    #expect(try status(client) { $0.wake == .nobody } != nil)
    let waker = try FakeWaker(paths[0], answer: .armed)
    defer { waker.end() }
    #expect(try status(client) { $0.wake == .ready } != nil)
    waker.hangUp()
    #expect(eventually { waker.moments == [due, due] ? true : nil } == true)
    #expect(try status(client) { $0.wake == .ready } != nil)
  }
}
