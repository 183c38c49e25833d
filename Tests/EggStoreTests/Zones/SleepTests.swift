import Alarms
import EggTestSupport
import EggTime
import Testing

@Suite("Suspend, hibernation and clock changes, with a real database")
struct SleepTests {
  @Test("Alarms due in suspend ring at once on resume, late because the machine slept, in one bubble")
  func many() throws {
    let rig = try ZoneRig()
    for minute in 35...41 { try rig.at("2026-11-20 22:\(minute):00") }
    let countdown = try rig.bench.count(down: .seconds(1_800)).number
    rig.settle()
    rig.bench.clock.suspend(.seconds(8 * 3_600))
    rig.wake()
    #expect(rig.rung == Array(1...countdown))
    #expect(rig.rings.all.allSatisfy { $0.reason == .asleep && $0.lateness > .seconds(7 * 3_600) })
    #expect(rig.shows.all == [ZoneRig.Show(alarms: 8, joins: false)])
  }

  @Test("A thousand alarms due in suspend ring in slices, all in the bubble of the first")
  func thousand() throws {
    let rig = try ZoneRig()
    let due = try ZoneRig.utc("2026-11-20 23:00:00")
    try rig.bench.stranger().write {
      try $0.execute(
        sql: """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
          INSERT INTO alarm (id, position, kind, instant, expression, readingZone, createdAt, due)
          SELECT 'x' || i, i, 'at', ?1, 'x', 'UTC', 0, ?1 FROM n
          """, arguments: [due.microseconds])
    }
    #expect(eventually { rig.loop.nextWake == due ? true : nil } == true)
    rig.bench.clock.suspend(.seconds(8 * 3_600))
    for _ in 1...8 { rig.wake() }
    #expect(Set(rig.rung).count == 1_000 && rig.rung.count == 1_000)
    #expect(rig.rings.all.allSatisfy { $0.reason == .asleep })
    #expect(rig.shows.all.map(\.joins) == [false] + rig.shows.all.dropFirst().map { _ in true })
  }

  @Test("An alarm due while the machine slept and eggd was down says that eggd was down")
  func asleepAndDown() throws {
    let rig = try ZoneRig()
    let at = try rig.at("2026-11-20 23:00:00")
    let countdown = try rig.bench.count(down: .seconds(1_800)).number
    let later = try rig.bench.count(down: .seconds(9 * 3_600)).number
    rig.stop()
    rig.bench.clock.suspend(.seconds(8 * 3_600))
    try rig.restart()
    #expect(rig.rung == [at, countdown])
    #expect(rig.rings.all.allSatisfy { $0.reason == .down })
    rig.advance(.seconds(3_600))
    #expect(rig.rung == [at, countdown, later])
    #expect(rig.rings.all.last?.lateness == .zero)
  }

  @Test("Floating alarms follow a zone change after resume; those that rang on resume stay rung")
  func resumeElsewhere() throws {
    let rig = try ZoneRig()
    let first = try rig.at("2026-11-21 02:00:00")
    let second = try rig.at("2026-11-21 07:30:00")
    rig.bench.clock.suspend(.seconds(4 * 3_600))
    rig.wake()
    #expect(rig.rung == [first])
    try rig.move(to: "America/New_York")
    rig.advance(.seconds(10 * 3_600))
    #expect(rig.rung == [first])
    #expect(rig.due(second) == (try ZoneRig.utc("2026-11-21 12:30:00")))
  }

  @Test(
    "After a clock step with eggd down, a passed alarm rings at the start, and one ahead waits or stays rung"
  )
  func stepWhileDown() throws {
    let rig = try ZoneRig()
    let first = try rig.at("2026-11-20 22:35:00")
    let second = try rig.at("2026-11-20 23:00:00")
    let countdown = try rig.bench.count(down: .seconds(3_600)).number
    rig.advance(.seconds(30))
    #expect(rig.rung == [first])
    rig.stop()
    rig.bench.clock.step(.seconds(-3_600))
    try rig.restart()
    rig.advance(.seconds(3_600))
    #expect(rig.rung == [first, countdown])
    rig.stop()
    rig.bench.clock.step(.seconds(86_400))
    try rig.restart()
    #expect(rig.rung == [first, countdown, second])
    rig.stop()
    rig.bench.clock.step(.seconds(-86_400))
    try rig.restart()
    rig.advance(.seconds(2 * 86_400))
    #expect(rig.rung == [first, countdown, second])
  }

  @Test("Alarms ring by a clock that is ahead; after a correction none of them rings again")
  func future() throws {
    let rig = try ZoneRig()
    let countdown = try rig.bench.count(down: .seconds(600)).number
    let at = try rig.at("2026-11-21 07:30:00")
    let far = try rig.at("2027-11-21 07:30:00")
    rig.stop()
    rig.bench.clock.reboot(wall: try ZoneRig.utc("2027-01-01 00:00:00"))
    try rig.restart(bootID: "boot-2")
    #expect(rig.rung == [countdown, at])
    rig.bench.clock.step(try ZoneRig.utc("2026-11-20 22:00:00") - rig.bench.clock.read().wall)
    rig.wake()
    rig.advance(.seconds(86_400))
    #expect(rig.rung == [countdown, at])
    #expect(rig.due(far) == (try ZoneRig.utc("2027-11-21 06:30:00")))
  }
}
