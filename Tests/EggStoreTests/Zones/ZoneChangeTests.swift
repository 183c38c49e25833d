import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggStore

@Suite("The machine's zone changes while eggd runs")
struct ZoneChangeTests {
  @Test("A floating alarm rings on time at its time of day in the new zone, not at the old moment")
  func follows() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 06:30:00")))
    try rig.move(to: "America/New_York")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 12:30:00")))
    #expect(rig.loop.nextWake == (try ZoneRig.utc("2026-11-21 12:30:00")))
    rig.advance(.seconds(9 * 3_600))
    #expect(rig.rung == [])
    rig.bench.clock.advance(try ZoneRig.utc("2026-11-21 12:30:00") - rig.bench.clock.read().wall)
    rig.wake()
    #expect(rig.rung == [number])
    #expect(rig.rings.all.first?.lateness == .zero)
    #expect(rig.bench.alarm(number)?.latest?.lateReason == nil)
  }

  @Test("A floating alarm that the change moves nearer rings at the nearer moment")
  func nearer() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00")
    try rig.move(to: "Asia/Tokyo")
    rig.advance(try ZoneRig.utc("2026-11-20 22:30:00") - rig.bench.clock.read().wall)
    #expect(rig.rung == [number])
    #expect(rig.rings.all.first?.lateness == .zero)
  }

  @Test("Alarms that another program resolved in its own zone follow this machine's, whoever notices")
  func foreign() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00")
    let due = try #require(rig.due(number))
    let tokyo = try ZoneRig.utc("2026-11-20 22:30:00").microseconds
    let stranger = try rig.bench.stranger()
    let answer = Answer<Result<ChangeOutcome, ChangeError>>()
    try rig.bench.queue.sync {
      try stranger.write {
        try $0.execute(sql: "UPDATE alarm SET zone = 'Asia/Tokyo', due = ?", arguments: [tokyo])
      }
      // eggd's own commit comes before the notice of that one.
      let (store, change) = (rig.bench.store, ScheduleChange(rig.bench.new()))
      store.commits.pending.changes.append(
        Batch.Submitted(request: ChangeRequest(change, readAt: rig.bench.clock.read())) { answer.give($0) })
      store.commits.commit()
    }
    #expect(try answer.wait()?.get().alarms.count == 1)
    rig.settle()
    #expect(rig.due(number) == due)
  }

  @Test("Alarms with a zone of their own, at an instant, and countdowns keep their moments")
  func others() throws {
    let rig = try ZoneRig()
    let named = try rig.at("2026-11-21 07:30:00", zone: "Europe/Berlin")
    let moment = try rig.bench.schedule(after: .seconds(7_200)).number
    let countdown = try rig.bench.count(down: .seconds(7_200)).number
    let before = try [named, moment, countdown].map { try #require(rig.bench.alarm($0)) }
    try rig.move(to: "Asia/Tokyo")
    #expect([named, moment, countdown].compactMap { rig.bench.alarm($0) } == before)
  }

  @Test("An alarm whose time is past in the new zone rings once, at once, late because of the zone")
  func past() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 06:00:00")
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.rung == [number])
    let ring = try #require(rig.rings.all.first)
    #expect(ring.reason == .zoneChange)
    #expect(ring.lateness == .seconds(34 * 60 + 30))
    let alarm = try #require(rig.bench.alarm(number))
    #expect(alarm.state == .over)
    #expect(alarm.latest?.dueAt == (try ZoneRig.utc("2026-11-20 21:00:00")))
    #expect(alarm.latest?.lateReason == .zoneChange)
    rig.advance(.seconds(86_400))
    try rig.restart()
    #expect(rig.rung == [number])
  }

  @Test("An alarm that has rung does not ring again at the same time of day in the new zone")
  func rungStaysRung() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-20 22:35:00")
    rig.advance(.seconds(30))
    #expect(rig.rung == [number])
    try rig.move(to: "America/New_York")
    rig.advance(.seconds(86_400))
    #expect(rig.rung == [number])
    #expect(rig.bench.alarm(number)?.state == .over)
  }

  @Test("A ring just before the change is recorded, and its alarm is not moved")
  func ringsFirst() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-20 22:35:00")
    rig.loop.beforeHold { [loop = rig.loop, clock = rig.bench.clock] in
      clock.advance(.seconds(30))
      loop.wakeNow()
    }
    try rig.move(to: "America/New_York")
    #expect(rig.rung == [number])
    #expect(rig.bench.alarm(number)?.due == nil)
    rig.advance(.seconds(86_400))
    #expect(rig.rung == [number])
  }

  @Test("The journal names both zones and the number of moved alarms; subscribers start over")
  func told() throws {
    let rig = try ZoneRig()
    try rig.at("2026-11-21 07:30:00")
    try rig.at("2026-12-24 18:00:00")
    try rig.at("2026-12-24 18:00:00", zone: "Europe/Berlin")
    rig.bench.changes.clear()
    let sequence = rig.bench.store.sequence
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.zoneEvents == [.zoneChanged(from: "Europe/Berlin", to: "Asia/Tokyo", moved: 2)])
    let changes = rig.bench.changes.all
    #expect(!changes.isEmpty && changes.allSatisfy { $0.alarms == nil })
    #expect(changes.last.map { $0.sequence > sequence } == true)
    #expect(rig.bench.store.sequence == changes.last?.sequence)
  }

  @Test("A zone with another name and the same rules moves nothing, and later changes find its alarms")
  func sameRules() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00")
    let due = rig.due(number)
    try rig.move(to: "Europe/Paris")
    #expect(rig.due(number) == due)
    #expect(rig.zoneEvents == [.zoneChanged(from: "Europe/Berlin", to: "Europe/Paris", moved: 0)])
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-20 22:30:00")))
  }

  @Test("A change and its reversal leave every alarm where it was")
  func andBack() throws {
    let rig = try ZoneRig()
    let near = try rig.at("2026-11-21 07:30:00")
    let far = try rig.at("2026-12-24 18:00:00")
    let before = [near, far].map { rig.due($0) }
    try rig.move(to: "America/New_York")
    try rig.move(to: "Europe/Berlin")
    #expect([near, far].map { rig.due($0) } == before)
    #expect(rig.rung == [])
  }

  @Test("A time of day in a gap of the new zone moves forward by the gap")
  func gap() throws {
    let rig = try ZoneRig("Asia/Tokyo")
    let number = try rig.at("2027-03-28 02:30:00")
    try rig.move(to: "Europe/Berlin")
    #expect(rig.due(number) == (try ZoneRig.utc("2027-03-28 01:30:00")))
  }

  @Test("A request read in the old zone and stored after the change is resolved in the new zone")
  func readBefore() throws {
    let rig = try ZoneRig()
    let civil = try #require(CivilDateTime("2026-11-21 07:30:00"))
    var alarm = rig.bench.new()
    alarm.timing = .civil(civil, zone: "Europe/Berlin", floats: true)
    alarm.due = .wall(try ZoneRig.utc("2026-11-21 06:30:00"))
    try rig.move(to: "Asia/Tokyo")
    let made = try #require(try rig.bench.submit(ScheduleChange(alarm)).alarms.first)
    #expect(made.due == .wall(try ZoneRig.utc("2026-11-20 22:30:00")))
    #expect(made.timing == .civil(civil, zone: "Asia/Tokyo", floats: true))
  }

  @Test("After a change of zone and clock together, everything rings once, by the new clock")
  func withClockStep() throws {
    let rig = try ZoneRig()
    let first = try rig.at("2026-11-21 07:30:00")
    let second = try rig.at("2026-11-21 12:00:00")
    let countdown = try rig.bench.count(down: .seconds(3_600)).number
    // 09:34 in Tokyo: the first is past there, the second in the future.
    rig.bench.clock.step(.seconds(3 * 3_600))
    try rig.move(to: "Asia/Tokyo")
    rig.wake()
    #expect(rig.rung == [first])
    #expect(rig.bench.alarm(first)?.latest?.lateReason == .zoneChange)
    #expect(rig.due(second) == (try ZoneRig.utc("2026-11-21 03:00:00")))
    rig.advance(.seconds(3_600))
    #expect(rig.rung == [first, countdown])
    rig.bench.clock.step(.seconds(-4 * 3_600))
    rig.wake()
    rig.advance(try ZoneRig.utc("2026-11-21 03:00:00") - rig.bench.clock.read().wall)
    #expect(rig.rung == [first, countdown, second])
  }

  @Test("While the disk takes no writes alarms ring at their old moments; afterwards they follow")
  func noWrites() throws {
    let rig = try ZoneRig()
    let first = try rig.at("2026-11-20 23:00:00")
    let second = try rig.at("2026-11-21 07:30:00")
    let stranger = try rig.bench.stranger()
    try stranger.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER no BEFORE UPDATE OF zone ON alarm BEGIN SELECT RAISE(ROLLBACK, 'no'); END
          """)
    }
    rig.settle()
    try rig.move(to: "America/New_York")
    rig.advance(.seconds(26 * 60))
    #expect(rig.rung == [first])
    try stranger.write { try $0.execute(sql: "DROP TRIGGER no") }
    rig.look()
    #expect(rig.rung == [first])
    #expect(rig.due(second) == (try ZoneRig.utc("2026-11-21 12:30:00")))
  }
}
