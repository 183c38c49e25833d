import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggStore

/// The time is 22:34 in Berlin, the machine's zone; alarm 1 rings.
@Suite("Snoozes until a time of day")
struct SnoozeUntilTests {
  private let rig: ZoneRig
  private let one = Selection(numbers: [1])

  init() throws {
    rig = try ZoneRig()
    try rig.bench.fire(try rig.bench.schedule(), occurrence: 8)
    rig.settle()
  }

  private func snooze(until text: String, zone name: String? = nil) throws {
    let zone = try name.map { try rig.folder.source.zone(named: $0) } ?? rig.folder.source.local()
    let civil = try #require(CivilDateTime(text))
    try rig.bench.submit(
      SnoozeChange(
        one, until: .wall(zone.resolve(civil).instant),
        .civil(civil, zone: zone.identifier, floats: name == nil)))
    rig.settle()
  }

  /// The end of its snooze, as every reader has it.
  private var end: Instant? {
    let latest = rig.bench.alarm(1)?.latest
    #expect(latest?.due == latest?.snoozedUntil.map { .wall($0) })
    return latest?.snoozedUntil
  }

  private func advance(to text: String) throws {
    rig.advance(try ZoneRig.utc(text) - rig.bench.clock.read().wall)
  }

  @Test("It rings at its time of day in the machine's new zone, on time")
  func followsZone() throws {
    try snooze(until: "2026-11-21 09:00:00")
    #expect(end == (try ZoneRig.utc("2026-11-21 08:00:00")))
    try rig.move(to: "America/New_York")
    #expect(end == (try ZoneRig.utc("2026-11-21 14:00:00")))
    #expect(rig.zoneEvents == [.zoneChanged(from: "Europe/Berlin", to: "America/New_York", moved: 1)])
    try advance(to: "2026-11-21 08:00:00")
    #expect(rig.rung == [])
    try advance(to: "2026-11-21 14:00:00")
    #expect(rig.rung == [1])
    #expect(rig.rings.all.first?.lateness == .zero)
    #expect(rig.bench.alarm(1)?.phase == .ringing)
  }

  @Test("It follows a zone that changed while eggd was down")
  func whileDown() throws {
    try snooze(until: "2026-11-21 09:00:00")
    rig.stop()
    try rig.folder.move(to: "America/New_York")
    try rig.restart(bootID: "boot-2")
    #expect(end == (try ZoneRig.utc("2026-11-21 14:00:00")))
  }

  @Test("Past in the new zone, it rings at once, late because of the zone")
  func past() throws {
    try snooze(until: "2026-11-21 06:00:00")
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.rung == [1])
    #expect(rig.rings.all.first?.reason == .zoneChange)
    #expect(rig.rings.all.first?.lateness == .seconds(34 * 60 + 30))
  }

  @Test("In a zone of its own it follows that zone's data, and no move of the machine")
  func named() throws {
    try snooze(until: "2026-11-21 09:00:00", zone: "Europe/Paris")
    try rig.move(to: "Asia/Tokyo")
    #expect(end == (try ZoneRig.utc("2026-11-21 08:00:00")))
    try rig.folder.update("Europe/Paris", to: "Europe/London")
    rig.look()
    #expect(end == (try ZoneRig.utc("2026-11-21 09:00:00")))
    #expect(rig.zoneEvents.last == .zoneDataChanged(["Europe/Paris"], moved: 1))
  }

  @Test("It follows the wall clock when that is set")
  func clockStep() throws {
    try snooze(until: "2026-11-21 09:00:00")
    rig.bench.clock.step(.seconds(10 * 3_600 + 26 * 60))
    rig.wake()
    #expect(rig.rung == [1])
  }

  @Test("A request that was read in the old zone ends in the new one")
  func readBefore() throws {
    let civil = try #require(CivilDateTime("2026-11-21 09:00:00"))
    let until = DuePoint.wall(try ZoneRig.utc("2026-11-21 08:00:00"))
    try rig.move(to: "America/New_York")
    try rig.bench.submit(SnoozeChange(one, until: until, .civil(civil, zone: "Europe/Berlin", floats: true)))
    #expect(end == (try ZoneRig.utc("2026-11-21 14:00:00")))
  }

  @Test("Extended, it follows the zone from its new end")
  func extended() throws {
    try snooze(until: "2026-11-21 09:00:00")
    try rig.bench.submit(ExtendChange(one, by: .seconds(600)))
    #expect(end == (try ZoneRig.utc("2026-11-21 08:10:00")))
    try rig.move(to: "America/New_York")
    #expect(end == (try ZoneRig.utc("2026-11-21 14:10:00")))
  }

  @Test("A snooze for a span after it follows no zone")
  func thenSpan() throws {
    try snooze(until: "2026-11-21 09:00:00")
    try advance(to: "2026-11-21 08:00:00")
    let now = rig.bench.clock.read()
    let until = DuePoint(clock: rig.bench.store.currentBoot, microseconds: now.boot + 3_600_000_000)
    try rig.bench.submit(SnoozeChange(one, until: until))
    try rig.move(to: "America/New_York")
    #expect(rig.bench.alarm(1)?.latest?.due == until)
  }

  @Test("Undone after a change of zone, a dismissal gives it its time of day there")
  func undone() throws {
    try snooze(until: "2026-11-21 09:00:00")
    try rig.bench.submit(DismissChange(one))
    try rig.move(to: "America/New_York")
    try rig.bench.submit(UndoChange(expected: nil))
    #expect(end == (try ZoneRig.utc("2026-11-21 14:00:00")))
    try rig.bench.submit(DeleteChange(one))
    try rig.move(to: "Europe/Berlin")
    try rig.bench.submit(UndoChange(expected: nil))
    #expect(end == (try ZoneRig.utc("2026-11-21 08:00:00")))
  }

  @Test("Begun by a clock that was days ahead, it goes back with the clock by whole days")
  func wrongClock() throws {
    rig.bench.clock.step(.seconds(30 * 86_400))
    rig.wake()
    try rig.bench.fire(try rig.bench.schedule(), occurrence: rig.bench.clock.read().wall.microseconds & ~1)
    rig.settle()
    let civil = try #require(CivilDateTime("2026-12-21 09:00:00"))
    try rig.bench.submit(
      SnoozeChange(
        Selection(numbers: [2]), until: .wall(try ZoneRig.utc("2026-12-21 08:00:00")),
        .civil(civil, zone: "Europe/Berlin", floats: true)))
    rig.bench.clock.step(.seconds(-30 * 86_400))
    rig.wake()
    #expect(
      rig.bench.alarm(2)?.latest?.snoozedUntil == (try ZoneRig.utc("2026-11-21 08:00:00")))
    rig.wake()
    try advance(to: "2026-11-21 08:00:00")
    #expect(rig.rung == [2])
  }
}
