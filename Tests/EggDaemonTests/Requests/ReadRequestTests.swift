import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggDaemon
@testable import EggProtocol

@Suite("List, History and Status")
struct ReadRequestTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  @Test("An empty list has no alarms and empty totals")
  func empty() throws {
    #expect(
      try client.call(ListCall())
        == ListReply(alarms: [], totals: Totals(alarms: 0, eggs: 0, next: nil), after: nil))
  }

  @Test("The list is in order of creation, with totals, whichever alarm rings first")
  func order() throws {
    for span in ["3h", "1h", "2h"] { _ = try client.call(ScheduleCall(expression: span, eggs: 2)) }
    let reply = try client.call(ListCall())
    #expect(reply.alarms.map(\.number) == [1, 2, 3])
    let next = rig.clock.read().wall + .seconds(3_600)
    #expect(reply.totals == Totals(alarms: 3, eggs: 6, next: next))
    #expect(try client.call(ListCall(order: .due)).alarms.map(\.number) == [2, 3, 1])
  }

  @Test("Each page begins after the last alarm of the previous one")
  func pages() throws {
    for _ in 1...5 { _ = try client.call(ScheduleCall(expression: "1h")) }
    var numbers: [[Int64]] = []
    var after: Int64?
    repeat {
      let page = try client.call(ListCall(after: after, limit: 2))
      numbers.append(page.alarms.map(\.number))
      #expect(page.totals.alarms == 5)
      after = page.after
    } while after != nil
    #expect(numbers == [[1, 2], [3, 4], [5]])
    var streamed: [[Int64]] = []
    try client.stream(ListCall(limit: 2)) { page in
      #expect(page.totals.alarms == 5)
      streamed.append(page.alarms.map(\.number))
      return true
    }
    #expect(streamed == numbers)
  }

  @Test("A list of several pages begins with a short one; a single page has full length")
  func firstPage() throws {
    for _ in 1...130 { _ = try client.call(ScheduleCall(expression: "1h")) }
    var pages: [Int] = []
    try client.stream(ListCall()) { page in
      pages.append(page.alarms.count)
      return true
    }
    #expect(pages == [125, 5])
    #expect(try client.call(ListCall()).alarms.count == 130)
  }

  @Test("Only the requested states and fields are listed, with matching totals")
  func filter() throws {
    for _ in 1...2 { _ = try client.call(ScheduleCall(expression: "5s", label: "x")) }
    rig.clock.advance(.seconds(5))
    try rig.ring(2)
    let reply = try client.call(ListCall(states: [.ringing], fields: [.label]))
    #expect(reply.alarms.map(\.number) == [2])
    #expect(reply.totals == Totals(alarms: 1, eggs: 1, next: nil))
    #expect(reply.alarms.first?.label == "x")
    #expect(reply.alarms.first?.expression == nil)
    #expect(reply.alarms.first?.latest == nil)
  }

  @Test("A countdown's moment on the wall clock follows a clock step")
  func clockStep() throws {
    let made = try client.call(ScheduleCall(expression: "1h")).alarm
    rig.clock.step(.seconds(-600))
    #expect(try client.call(ShowCall(number: 1)).alarm.due == made.due.map { $0 - .seconds(600) })
  }

  @Test("A long list is sent in messages that fit, as the client takes them")
  func longList() throws {
    // 15 kB an alarm: 6 MB in all, more than may be unsent.
    let body = String(repeating: "e" + String(repeating: "\u{301}", count: 7), count: 1_000)
    _ = try client.call(ScheduleCall(expression: "1h", manner: Manner(body: body)))
    for _ in 1..<400 { try client.connection.oneway(AgainCall.qualifiedName, AgainCall(number: 1)) }
    let few = ListCall(limit: 1, fields: [])
    #expect(try eventually { try client.call(few).totals.alarms == 400 ? true : nil } == true)
    var numbers: [Int64] = []
    var messages = 0
    try rig.connect().stream(ListCall()) { page in
      if messages == 0 {
        // Without waiting for the client, everything would be sent by the time these are answered.
        for _ in 0..<20 { _ = try client.call(few) }
      }
      numbers += page.alarms.map(\.number)
      messages += 1
      return true
    }
    #expect(numbers == Array(1...400))
    #expect(messages > 20)
  }

  @Test("A limit beyond 1 to 1000 is refused", arguments: [0, -1, 1_001])
  func limits(limit: Int64) {
    #expect(invalidParameter { try client.call(ListCall(limit: limit)) } == "limit")
    #expect(invalidParameter { try client.call(HistoryCall(limit: limit)) } == "limit")
  }

  @Test("History lists rings, latest first, of one alarm or of all")
  func history() throws {
    for label in ["a", "b"] { _ = try client.call(ScheduleCall(expression: "5s", label: label)) }
    rig.clock.advance(.seconds(5))
    try rig.ring(1)
    rig.clock.advance(.seconds(1))
    try rig.ring(2)
    let all = try client.call(HistoryCall())
    #expect(all.past.map(\.number) == [2, 1])
    #expect(all.past.map(\.label) == ["b", "a"])
    #expect(all.past.map(\.occurrence.outcome) == [.rung, .rung])
    #expect(all.before == nil)
    let first = try client.call(HistoryCall(limit: 1))
    #expect(first.before != nil)
    #expect(first.past.map(\.number) == [2])
    #expect(try client.call(HistoryCall(before: first.before)).past.map(\.number) == [1])
    #expect(try client.call(HistoryCall(number: 1)).past.map(\.number) == [1])
    #expect(refusal { try client.call(HistoryCall(number: 9)) } == .noSuchAlarm(numbers: [9], ids: []))
  }

  @Test("Show includes an alarm's occurrences")
  func show() throws {
    _ = try client.call(ScheduleCall(expression: "5s"))
    rig.clock.advance(.seconds(5))
    try rig.ring(1)
    let shown = try client.call(ShowCall(number: 1))
    #expect(shown.alarm.state == .ringing)
    #expect(shown.occurrences == [try #require(shown.alarm.latest)])
    #expect(shown.occurrences.first?.dueAt == rig.clock.read().wall)
  }

  @Test("A daemon that is slow to report its status delays no reads")
  func slowStatus() throws {
    let asked = Kept<@Sendable (StatusReply) -> Void>()
    let rig = try WireRig { asked.append($0) }
    let waiting = try (0..<3).map { _ in try rig.connect() }
    for client in waiting { try client.connection.send(StatusCall.qualifiedName, StatusCall()) }
    #expect(eventually { asked.all.count == 3 ? true : nil } == true)
    #expect(try rig.connect().call(ListCall(), timeout: patience).alarms == [])
    for answer in asked.all { answer(WireRig.plainStatus) }
    for client in waiting {
      let reply: StatusReply = try client.connection.receive(timeout: patience)
      #expect(reply.pid == 42)
    }
  }

  @Test("Status combines the daemon's and the database's state")
  func status() throws {
    _ = try client.call(ScheduleCall(expression: "5s", eggs: 7))
    let status = try client.call(StatusCall())
    var expected = WireRig.plainStatus
    expected.now = rig.clock.read().wall
    expected.sequence = 1
    expected.totals = Totals(alarms: 1, eggs: 7, next: expected.now + .seconds(5))
    expected.disk = .writable
    expected.database = rig.store.path
    expected.zone = "Europe/Paris"
    #expect(status == expected)
  }
}
