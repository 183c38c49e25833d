import EggStore
import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Testing

@Suite("Schedule and Again")
struct ScheduleRequestTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  @Test("A countdown is due exactly its span after the call was read, on the boot clock")
  func hungry() throws {
    let read = rig.clock.read()
    let made = try client.call(ScheduleCall(expression: "5s", kind: .in))
    #expect(made.alarm.number == 1)
    #expect(made.alarm.due == read.wall + .seconds(5))
    #expect(made.alarm.span == .seconds(5))
    #expect(made.alarm.kind == .in)
    #expect(made.alarm.state == .scheduled)
    #expect(made.alarm.createdAt == read.wall)
    #expect(made.alarm.modifiedAt == nil)
    #expect(!made.existed)
    #expect(
      try rig.stored(1).due
        == DuePoint(clock: rig.store.currentBoot, microseconds: read.boot + 5_000_000))
  }

  @Test("All parameters of an alarm are kept")
  func everything() throws {
    let made = try client.call(
      ScheduleCall(
        expression: "6m 30s", label: "two soft ones", category: .soft, eggs: 2,
        manner: Manner(
          summary: "Ho!", body: "first\nsecond", icon: "egg", note: "lid on", sound: "/s/a.oga",
          insist: .seconds(10)), key: "k")
    ).alarm
    #expect(made.label == "two soft ones")
    #expect(made.category == .soft)
    #expect(made.eggs == 2)
    #expect(made.summary == "Ho!")
    #expect(made.body == "first\nsecond")
    #expect(made.icon == "egg")
    #expect(made.sound == "/s/a.oga")
    #expect((made.note, made.insist) == ("lid on", .seconds(10)))
    #expect(made.key == "k")
    #expect(made.expression == "6m 30s")
    #expect(try client.call(ShowCall(number: 1)).alarm == made)
    #expect(try client.call(ShowCall(id: made.id)).alarm == made)
  }

  @Test("A time entered in the machine's zone floats")
  func floating() throws {
    for zone in [nil, "Europe/Paris"] {
      let made = try client.call(ScheduleCall(expression: "tomorrow 07:30", zone: zone)).alarm
      // 2026-11-21 07:30 in Paris.
      #expect(made.due == Instant(microseconds: 1_795_242_600_000_000))
      #expect(made.floats == true)
      #expect(made.zone == "Europe/Paris")
      #expect(made.kind == .at)
    }
  }

  @Test("A time entered in another zone stays in that zone")
  func callersZone() throws {
    let made = try client.call(ScheduleCall(expression: "2026-11-21 07:30", zone: "Asia/Seoul")).alarm
    // 2026-11-21 07:30 in Seoul.
    #expect(made.due == Instant(microseconds: 1_795_213_800_000_000))
    #expect(made.floats == false)
    #expect(made.zone == "Asia/Seoul")
  }

  @Test("Again reads the same expression anew and copies the rest")
  func again() throws {
    let first = try client.call(
      ScheduleCall(
        expression: "6m30s", kind: .in, label: "soft", category: .soft, eggs: 3,
        manner: Manner(summary: "S", body: "B", icon: "I", sound: "none"), key: "k")
    ).alarm
    rig.clock.advance(.seconds(60))
    let second = try client.call(AgainCall(number: 1)).alarm
    #expect(second.number == 2)
    #expect(second.due == rig.clock.read().wall + .seconds(390))
    #expect(
      [second.label, second.summary, second.body, second.icon, second.sound, second.expression]
        == [first.label, first.summary, first.body, first.icon, "none", first.expression])
    #expect(second.category == .soft)
    #expect(second.eggs == 3)
    #expect(second.kind == .in)
    #expect(second.key == nil)
  }

  @Test("Again reads a time in its original zone")
  func againElsewhere() throws {
    let first = try client.call(ScheduleCall(expression: "07:30", zone: "Asia/Seoul")).alarm
    rig.clock.advance(.seconds(86_400))
    let second = try client.call(AgainCall(number: 1)).alarm
    #expect(second.zone == "Asia/Seoul")
    #expect(second.due == first.due.map { $0 + .seconds(86_400) })
  }

  @Test("Again of a full date that has passed is refused as past")
  func againPast() throws {
    let made = try client.call(ScheduleCall(expression: "2026-11-21 07:30")).alarm
    rig.clock.advance(.seconds(86_400))
    let due = try #require(made.due)
    #expect(
      refusal { try client.call(AgainCall(number: 1)) }
        == .inThePast(expression: "2026-11-21 07:30", due: due))
  }

  @Test("The same request with a key finds its alarm, another one is refused")
  func key() throws {
    let call = ScheduleCall(expression: "5s", label: "a", key: "breakfast")
    let made = try client.call(call)
    rig.clock.advance(.seconds(2))
    let found = try client.call(call)
    #expect(found.existed)
    #expect(found.alarm.number == made.alarm.number)
    #expect(found.alarm.due == made.alarm.due)
    #expect(
      refusal { try client.call(ScheduleCall(expression: "5s", label: "b", key: "breakfast")) }
        == .keyInUse(key: "breakfast", number: 1))
  }

  @Test("A key finds its alarm even when the expression's moment has passed")
  func keyPast() throws {
    let call = ScheduleCall(expression: "2026-11-20 23:00", key: "late")
    let made = try client.call(call)
    rig.clock.advance(.seconds(3_600))
    let found = try client.call(call)
    #expect(found.existed)
    #expect(found.alarm.number == made.alarm.number)
    #expect(
      refusal { try client.call(ScheduleCall(expression: "2026-11-20 23:01", key: "late")) }
        == .keyInUse(key: "late", number: 1))
  }

  @Test("A key is free again 10 minutes after its alarm is over, and at once after a deletion")
  func keyFree() throws {
    let call = ScheduleCall(expression: "5s", key: "k")
    _ = try client.call(call)
    rig.clock.advance(.seconds(5))
    try rig.ring(1)
    #expect(try client.call(call).existed)
    rig.clock.advance(.seconds(601))
    #expect(try client.call(call).alarm.number == 2)
    _ = try client.call(DeleteCall(WireSelection(numbers: [2])))
    #expect(try client.call(call).alarm.number == 3)
  }
}
