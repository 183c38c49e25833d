import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggProtocol

/// The time is 2026-11-20 22:34:30 in Paris, the machine's zone.
@Suite("Resolve over the wire")
struct ResolveRequestTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  @Test("An expression is read as by Schedule, and nothing is stored")
  func read() throws {
    let now = rig.clock.read().wall
    let span = try client.call(ResolveCall(expression: "6m30s"))
    #expect((span.kind, span.span, span.canonical) == (.timespan, .seconds(390), "6min 30s"))
    #expect(span.occurrences == [now + .seconds(390)])
    let event = try client.call(ResolveCall(expression: "Mon..Fri 07:30", count: 2))
    #expect((event.kind, event.span, event.canonical) == (.calendar, nil, "Mon..Fri *-*-* 07:30:00"))
    // Monday and Tuesday, 07:30 CET.
    #expect(event.occurrences.map(\.microseconds) == [1_795_415_400_000_000, 1_795_501_800_000_000])
    #expect(try client.call(ResolveCall(expression: "*-02-30")).occurrences.isEmpty)
    #expect(try client.call(ListCall()).alarms.isEmpty)
  }

  @Test("Base and zone replace the present and the machine's zone")
  func base() throws {
    let base = Instant(microseconds: 1_800_000_000_000_000)
    let reply = try client.call(ResolveCall(expression: "07:30", zone: "Asia/Tokyo", base: base))
    #expect(reply.kind == .timestamp)
    #expect(reply.occurrences.map(\.microseconds) == [1_800_052_200_000_000])
  }

  @Test("A day without a time of day rings at the configured one, under a flag at midnight")
  func dayAt() throws {
    func moment(_ kind: Timing.Kind? = nil) throws -> Int64? {
      try client.call(ResolveCall(expression: "tomorrow", kind: kind)).occurrences.first?.microseconds
    }
    let midnight: Int64 = 1_795_215_600_000_000
    #expect(try moment() == midnight + 9 * 3_600_000_000)
    rig.setDayAt(TimeOfDay(hour: 7, minute: 30))
    #expect(try moment() == midnight + 27_000_000_000)
    #expect(try moment(.at) == midnight)
    let made = try client.call(ScheduleCall(expression: "tomorrow")).alarm
    #expect(made.due?.microseconds == midnight + 27_000_000_000)
    rig.setDayAt(.usual)
    #expect(
      try client.call(AgainCall(number: made.number)).alarm.due?.microseconds == midnight + 32_400_000_000)
    #expect(try client.call(ShowCall(number: made.number)).alarm.due == made.due)
  }

  @Test("A recurring time begins where requested")
  func from() throws {
    let from = Instant(microseconds: 1_800_000_000_000_000)
    let reply = try client.call(ResolveCall(expression: "Mon..Fri 07:30", count: 1, from: from))
    // It begins on a Friday at 09:00: Monday, 07:30 CET.
    #expect(reply.occurrences.map(\.microseconds) == [1_800_253_800_000_000])
    #expect(invalidParameter { try client.call(ResolveCall(expression: "07:30", from: from)) } == "from")
    let never = ResolveCall(expression: "daily", from: Instant(microseconds: -1))
    #expect(invalidParameter { try client.call(never) } == "from")
  }

  @Test("An invalid expression or parameter is refused by name")
  func refused() throws {
    #expect(throws: ScheduleClientError.self) { try client.call(ResolveCall(expression: "6x")) }
    #expect(throws: ScheduleClientError.self) { try client.call(ResolveCall(expression: "6m", kind: .at)) }
    for call in [
      ResolveCall(expression: "daily", count: 0), ResolveCall(expression: "daily", count: 1_001),
      ResolveCall(expression: "daily", base: Instant(microseconds: -1)),
    ] {
      do {
        _ = try client.call(call)
        Issue.record("taken: \(call)")
      } catch ScheduleClientError.invalidParameter(let field) {
        #expect(field == (call.base == nil ? "count" : "base"))
      }
    }
    #expect(throws: ScheduleClientError.self) {
      try client.call(ResolveCall(expression: "daily", zone: "Mars/Phobos"))
    }
  }
}
