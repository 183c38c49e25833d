import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("Zones that changed while eggd was down")
struct ZoneDownTests {
  @Test("Floating alarms follow a zone change before the first of them rings")
  func zoneChanged() throws {
    let rig = try ZoneRig()
    let later = try rig.at("2026-11-20 23:00:00")
    let past = try rig.at("2026-11-21 12:00:00")
    rig.stop()
    // The first alarm's old moment passes; in New York its time of day is in the future.
    rig.bench.clock.advance(.seconds(3_600))
    try rig.folder.move(to: "America/New_York")
    try rig.restart()
    #expect(rig.rung == [])
    #expect(rig.due(later) == (try ZoneRig.utc("2026-11-21 04:00:00")))
    #expect(rig.zoneEvents == [.zoneChanged(from: "Europe/Berlin", to: "America/New_York", moved: 2)])
    rig.stop()
    try rig.folder.move(to: "Asia/Tokyo")
    rig.bench.clock.advance(.seconds(5 * 3_600))
    try rig.restart()
    // 2026-11-21 12:34 in Tokyo. The first was due in New York too, but eggd was down.
    #expect(rig.rung.sorted() == [later, past])
    let reasons = Dictionary(uniqueKeysWithValues: rig.rings.all.map { ($0.key.number, $0.reason) })
    #expect(reasons == [later: .zoneChange, past: .zoneChange])
    rig.advance(.seconds(86_400))
    #expect(rig.rung.count == 2)
  }

  @Test("An alarm that was due before the change too is late because eggd was down")
  func alsoDown() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-20 23:00:00")
    rig.stop()
    rig.bench.clock.advance(.seconds(3_600))
    try rig.folder.move(to: "Asia/Tokyo")
    try rig.restart()
    #expect(rig.rung == [number])
    #expect(rig.rings.all.first?.reason == .down)
  }

  @Test("Alarms follow an update of their zone's data")
  func dataUpdated() throws {
    let rig = try ZoneRig()
    let paris = try rig.at("2026-11-21 07:30:00", zone: "Europe/Paris")
    let floating = try rig.at("2026-12-24 18:00:00")
    rig.stop()
    try rig.folder.update("Europe/Paris", to: "Europe/London")
    try rig.folder.update("Europe/Berlin", to: "Europe/London")
    try rig.restart(bootID: "boot-2")
    #expect(rig.due(paris) == (try ZoneRig.utc("2026-11-21 07:30:00")))
    #expect(rig.due(floating) == (try ZoneRig.utc("2026-12-24 18:00:00")))
    #expect(rig.zoneEvents == [.zoneDataChanged(["Europe/Berlin", "Europe/Paris"], moved: 2)])
  }

  @Test("Without zone files alarms keep their moments")
  func vanished() throws {
    let rig = try ZoneRig()
    let paris = try rig.at("2026-11-20 22:40:00", zone: "Europe/Paris")
    let floating = try rig.at("2026-11-20 22:41:00")
    rig.stop()
    try rig.folder.remove(rig.folder.zones)
    try rig.restart()
    #expect(rig.rung == [])
    rig.advance(.seconds(600))
    #expect(rig.rung == [paris, floating])
    #expect(rig.zoneEvents.count == 2)
  }

  @Test("Without changes nothing is written, moved or reported")
  func nothing() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00")
    try rig.at("2026-11-21 07:30:00", zone: "Asia/Tokyo")
    rig.look()
    let before = rig.bench.alarm(number)
    let sequence = rig.bench.store.sequence
    try rig.restart()
    #expect(rig.bench.alarm(number) == before)
    #expect(rig.bench.store.sequence == sequence)
    #expect(rig.zoneEvents == [])
  }

  /// Floating alarms far beyond the head, inserted directly: thousands of commits would be slow.
  private func fill(_ rig: ZoneRig, _ count: Int) throws {
    let due = try ZoneRig.utc("2027-01-15 17:00:00")
    try rig.bench.stranger().write {
      try $0.execute(
        sql: """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO alarm (id, position, kind, civil, zone, floats, expression, readingZone, createdAt, due)
          SELECT 'x' || i, i, 'at', '2027-01-15 18:00:00', 'Europe/Berlin', 1, 'x', 'Europe/Berlin', 0, ? FROM n
          """, arguments: [count, due.microseconds])
    }
    rig.settle()
  }

  private func stray(_ rig: ZoneRig) throws -> Int {
    let due = try ZoneRig.utc("2027-01-15 17:00:00")
    return try rig.bench.stranger().read {
      try Int.fetchOne(
        $0, sql: "SELECT count(*) FROM alarm WHERE due = ? OR zone = 'Europe/Berlin'",
        arguments: [due.microseconds]) ?? -1
    }
  }

  @Test("Near and far alarms follow in one transaction, and each rings once")
  func many() throws {
    let rig = try ZoneRig()
    let near = try rig.at("2026-11-21 07:30:00")
    try fill(rig, 3_500)
    try rig.folder.move(to: "Asia/Tokyo")
    rig.bench.queue.sync { rig.bench.store.zoneFollower.check() }
    #expect(rig.due(near) == (try ZoneRig.utc("2026-11-20 22:30:00")))
    #expect(try stray(rig) == 0)
    try rig.restart()
    rig.advance(try ZoneRig.utc("2027-01-15 09:00:00") - rig.bench.clock.read().wall)
    for _ in 1...40 { rig.wake() }
    #expect(rig.rung.count == 3_501)
    #expect(Set(rig.rung).count == 3_501)
    let late = rig.rings.all.filter { $0.dueAt == (try? ZoneRig.utc("2027-01-15 09:00:00")) }
    #expect(late.count == 3_500)
  }

  @Test(
    "An eggd that ends while following an update that is then reverted leaves all alarms right")
  func takenBack() throws {
    let rig = try ZoneRig()
    let near = try rig.at("2026-11-21 07:30:00")
    try fill(rig, 1_500)
    let before = rig.due(near)
    try rig.folder.update("Europe/Berlin", to: "Europe/London")
    rig.bench.queue.sync { rig.bench.store.zoneFollower.check() }
    rig.stop()
    try rig.folder.update("Europe/Berlin", to: "Europe/Berlin")
    try rig.restart()
    #expect(rig.due(near) == before)
    #expect(
      try rig.bench.stranger().read {
        try Int.fetchOne($0, sql: "SELECT count(DISTINCT due) FROM alarm")
      } == 2)
  }

  @Test(
    "With a clock at 1970 nothing rings; once the clock is set, everything due rings")
  func wrongClock() throws {
    let rig = try ZoneRig()
    let at = try rig.at("2026-11-20 23:00:00")
    let later = try rig.at("2026-11-21 07:30:00")
    let countdown = try rig.bench.count(down: .seconds(600)).number
    rig.stop()
    rig.bench.clock.reboot(wall: Instant(microseconds: 5_000_000))
    try rig.restart(bootID: "boot-2")
    rig.bench.store.moveEarlierBoots()
    rig.advance(.seconds(60))
    #expect(rig.rung == [])
    rig.bench.clock.step(try ZoneRig.utc("2026-11-20 23:00:00") - rig.bench.clock.read().wall)
    rig.wake()
    #expect(Set(rig.rung) == [at, countdown])
    #expect(rig.due(later) == (try ZoneRig.utc("2026-11-21 06:30:00")))
    rig.bench.clock.step(.seconds(-86_400))
    rig.wake()
    rig.advance(.seconds(86_400))
    #expect(rig.rung.count == 2)
    rig.advance(.seconds(7 * 3_600 + 1_800))
    #expect(rig.rung.last == later)
  }
}
