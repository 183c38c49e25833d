import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggStore

@Suite("Done marks that are cleared later")
struct MarkingDoneTests {
  private let one = Selection(numbers: [1])

  @Test("A countdown continues after a reboot, however many changes came between")
  func reboot() throws {
    let bench = try StoreBench()
    try bench.count(down: .seconds(3_600))
    let ends = bench.now + .seconds(3_600)
    try bench.submit(MarkDoneChange(one, true))
    try bench.schedule()
    for _ in 1...30 { try bench.submit(MoveChange(Selection(numbers: [2]), .top)) }
    bench.clock.reboot(wall: bench.now + .seconds(60))
    try bench.reopen(bootID: "boot-2")
    bench.store.moveEarlierBoots()
    bench.queue.sync {}
    bench.queue.sync {}
    try bench.reopen(bootID: "boot-2")
    try bench.submit(MarkDoneChange(one, false))
    #expect(bench.alarm(1)?.due == .wall(ends))
  }

  @Test("A civil time is read in the machine's new zone")
  func zone() throws {
    let rig = try ZoneRig()
    try rig.at("2026-11-21 07:30:00")
    try rig.bench.submit(MarkDoneChange(one, true))
    try rig.move(to: "America/New_York")
    try rig.bench.submit(MarkDoneChange(one, false))
    rig.settle()
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-21 12:30:00")))
  }

  @Test("What is left of one whose first ring has passed is read in the machine's new zone")
  func zoneOfLeads() throws {
    let rig = try ZoneRig()
    try rig.at("2026-11-21 07:30:00")
    var edit = AlarmEdit()
    edit.leads = [.zero, try #require(Lead(reading: "1h")), try #require(Lead(reading: "8h"))]
    try rig.bench.submit(EditChange(one, edit))
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-20 22:30:00")))
    try rig.bench.submit(MarkDoneChange(one, true))
    rig.advance(.seconds(2 * 3_600))
    try rig.move(to: "America/New_York")
    try rig.bench.submit(MarkDoneChange(one, false))
    rig.settle()
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-21 04:30:00")))
  }

  @Test("One of which all is past in the machine's new zone does not ring at once")
  func pastInNewZone() throws {
    let rig = try ZoneRig()
    try rig.at("2026-11-21 10:30:00")
    var edit = AlarmEdit()
    edit.leads = [.zero, try #require(Lead(reading: "1h")), try #require(Lead(reading: "11h"))]
    try rig.bench.submit(EditChange(one, edit))
    try rig.bench.submit(MarkDoneChange(one, true))
    // In Tokyo it was 10:30 an hour ago; in Berlin the next lead lies ahead.
    rig.advance(.seconds(2 * 3_600))
    try rig.move(to: "Asia/Tokyo")
    rig.advance(.seconds(3 * 3_600))
    try rig.bench.submit(MarkDoneChange(one, false))
    rig.settle()
    #expect(rig.rung.isEmpty && rig.due(1) == nil)
    #expect(rig.bench.alarm(1)?.latest?.outcome == .missed)
  }
}
