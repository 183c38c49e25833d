import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("Recurring alarms when zones change")
struct ZoneRecurrenceTests {
  /// A rig at 22:34 in Berlin with a recurring alarm, and its number.
  private func rig(_ event: String, zone: String? = nil, _ more: String = "") throws -> (ZoneRig, Int64) {
    let rig = try ZoneRig()
    let number = try rig.bench.schedule(after: .seconds(86_400)).number
    try rig.bench.stranger().write {
      try $0.execute(
        sql: """
          UPDATE alarm SET kind = 'every', instant = NULL, calendarEvent = ?, zone = ?, floats = ?, due = due + 1;
          \(more)
          """, arguments: [event, zone ?? "Europe/Berlin", zone == nil])
    }
    // Sets its moment to that of the event.
    try rig.folder.update("Europe/Berlin", to: "Europe/Paris")
    if let zone { try rig.folder.update(zone, to: "Europe/Paris") }
    rig.look()
    return (rig, number)
  }

  @Test("A floating alarm rings when the new zone's clock next shows its time")
  func floating() throws {
    let (rig, number) = try rig("*-*-* 07:30")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 06:30:00")))
    try rig.move(to: "America/New_York")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 12:30:00")))
    // 22:34 in Berlin is 06:34 in Tokyo.
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-20 22:30:00")))
    #expect(rig.rung == [])
  }

  @Test(
    "A floating interval counts from the same time of day in the new zone; elapsed time does not move"
  )
  func intervals() throws {
    let rig = try ZoneRig()
    func every(_ text: String, from: Instant? = nil) throws -> Int64 {
      let interval = try #require(RecurringInterval(text))
      var alarm = rig.bench.new()
      alarm.timing = .every(.interval(interval), zone: "Europe/Berlin", floats: true)
      (alarm.due, alarm.from) = (.wall(rig.bench.now + .seconds(1)), from)
      return try #require(try rig.bench.submit(ScheduleChange(alarm)).alarms.first).number
    }
    let days = try every("2d 07:30:00 from 2026-11-20")
    let hours = try every("5h from 2026-11-20 20:00:00 UTC")
    let later = try every("1d 07:30:00 from 2026-11-20", from: try ZoneRig.utc("2026-12-01 09:00:00"))
    let rest = try every("1w Fri 07:30:00 from 2026-11-28")
    rig.settle()
    #expect(rig.due(days) == (try ZoneRig.utc("2026-11-22 06:30:00")))
    #expect(rig.due(later) == (try ZoneRig.utc("2026-12-02 06:30:00")))
    #expect(rig.due(rest) == (try ZoneRig.utc("2026-12-04 06:30:00")))
    try rig.move(to: "America/New_York")
    #expect(rig.due(days) == (try ZoneRig.utc("2026-11-22 12:30:00")))
    #expect(rig.due(hours) == (try ZoneRig.utc("2026-11-21 01:00:00")))
    #expect(rig.due(later) == (try ZoneRig.utc("2026-12-01 12:30:00")))
    #expect(rig.due(rest) == (try ZoneRig.utc("2026-12-04 12:30:00")))
    let moved = try #require(rig.bench.alarm(days))
    let interval = try #require(RecurringInterval("2d 07:30:00 from 2026-11-20"))
    #expect(moved.timing == .every(.interval(interval), zone: "America/New_York", floats: true))
    try rig.move(to: "Asia/Tokyo")
    // 06:34 on the 21st in Tokyo: every second day comes next on the 22nd.
    #expect(rig.due(days) == (try ZoneRig.utc("2026-11-21 22:30:00")))
    #expect(rig.rung == [])
  }

  @Test("Elapses that were missed together are not missed again when the zone changes")
  func missed() throws {
    let (rig, number) = try rig("*-*-* *:0/10", "UPDATE alarm SET ifMissed = 'record';")
    rig.bench.clock.suspend(.seconds(3_600 + 120))
    rig.wake()
    #expect(rig.rung == [])
    // 23:36 in Berlin; 22:40 to 23:30 are over.
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-20 22:40:00")))
    try rig.move(to: "Europe/London")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-20 22:40:00")))
    #expect(rig.bench.alarm(number)?.latest?.missedCount == 6)
  }

  /// 07:30 every day.
  private func edit(_ rig: ZoneRig, _ number: Int64, to time: String) throws {
    let due = try ZoneRig.utc("2026-11-21 \(time):00") - .seconds(3_600)
    var edit = AlarmEdit()
    edit.timing = AlarmEdit.NewTiming(
      timing: .every(
        .event(try #require(CalendarEvent("*-*-* \(time)"))), zone: "Europe/Berlin", floats: true),
      expression: time, forcedKind: nil, readingZone: "Europe/Berlin", due: .wall(due))
    try rig.bench.submit(EditChange(Selection(numbers: [number]), edit))
    #expect(rig.due(number) == due)
  }

  @Test("A skip under an older timing does not delay the present one")
  func skippedBefore() throws {
    let (rig, number) = try rig("Sat 12:00")
    try rig.bench.submit(SkipChange(Selection(numbers: [number])))
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-28 11:00:00")))
    try edit(rig, number, to: "07:30")
    try rig.move(to: "Europe/London")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 07:30:00")))
  }

  @Test("The same holds for a skip at an earlier time of day, and undo of the edit restores it")
  func skippedEarlier() throws {
    let (rig, number) = try rig("*-*-* 07:30")
    try rig.bench.submit(SkipChange(Selection(numbers: [number])))
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-22 06:30:00")))
    try edit(rig, number, to: "08:00")
    // 08:00 in Tokyo is before the skipped elapse.
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-20 23:00:00")))
    try rig.move(to: "Europe/Berlin")
    try rig.bench.submit(UndoChange(expected: nil))
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-22 06:30:00")))
    try rig.move(to: "Asia/Tokyo")
    // The skip is valid again: 07:30 in Tokyo on the 21st is before 07:30 in Berlin, so the next is on the
    // 22nd.
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 22:30:00")))
  }

  @Test("An alarm created after its time of day in the new zone does not ring for that")
  func notBeforeItWasMade() throws {
    let (rig, number) = try rig("*-*-* 06:00")
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.rung == [])
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 21:00:00")))
  }

  @Test(
    "An alarm that has elapsed elapses again when the new zone's clock shows the time"
  )
  func afterElapse() throws {
    let (rig, number) = try rig(
      "*-*-* 22:00",
      """
      INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt)
      VALUES (1795208400000000, 1, 1795208400000000, 'rung', 1795208400000000);
      UPDATE alarm SET createdAt = 0;
      """)
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 21:00:00")))
    try rig.move(to: "America/New_York")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 03:00:00")))
  }

  @Test("An alarm without a ring in the new zone keeps its moment, also when the clock is set back later")
  func withoutRing() throws {
    let (rig, number) = try rig("*-*-* 07:30")
    let moment = try ZoneRig.utc("2026-11-21 06:30:00")
    // It is 07:39 in Tokyo.
    rig.advance(.seconds(65 * 60))
    try rig.bench.stranger().write {
      try $0.execute(sql: "UPDATE alarm SET until = ?", arguments: [moment.microseconds])
    }
    var edit = AlarmEdit()
    edit.eggs = 3
    try rig.bench.submit(EditChange(Selection(numbers: [number]), edit))
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.due(number) == moment)
    rig.bench.clock.step(.seconds(-20 * 60))
    rig.wake()
    rig.look()
    #expect(rig.due(number) == moment)
    #expect(rig.rung == [])
  }

  @Test(
    "An undo of days off gives back the moment that an alarm kept because the new zone has no ring for it")
  func undoneDaysOff() throws {
    let day = try #require(CivilDate("2026-11-20"))
    let today = try #require(DayRange(day, through: day))
    let moment = try ZoneRig.utc("2026-11-20 23:00:00")
    // In New York what rings on that day, at 17:00, is quiet, and the next ring is after the last.
    let (rig, number) = try rig(
      "*-*-* 00,17:00", "UPDATE alarm SET exceptOn = 'trip', until = \(moment.microseconds);")
    try rig.bench.submit(DaysOffChange("trip", .replace([today])))
    #expect(rig.due(number) == moment)
    try rig.move(to: "America/New_York")
    #expect(rig.due(number) == moment)
    try rig.bench.submit(DaysOffChange("trip", .replace([])))
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-20 22:00:00")))
    try rig.bench.submit(UndoChange(expected: nil))
    #expect(rig.due(number) == moment)
  }

  @Test("An undone deletion gives back the moment whose day is quiet in the new zone, where no ring is left")
  func undoneDeletion() throws {
    let rig = try ZoneRig()
    let day = try #require(CivilDate("2026-11-20"))
    try rig.bench.submit(DaysOffChange("trip", .replace([try #require(DayRange(day, through: day))])))
    // 00:30 of the next day in Berlin, still the 20th in New York.
    let moment = try ZoneRig.utc("2026-11-20 23:30:00")
    var alarm = rig.bench.new()
    let interval = try #require(RecurringInterval("5h from 2026-11-20 18:30:00 UTC"))
    alarm.timing = .every(.interval(interval), zone: "Europe/Berlin", floats: true)
    (alarm.due, alarm.rules.except, alarm.until) = (.wall(moment), ["trip"], moment)
    let number = try #require(try rig.bench.submit(ScheduleChange(alarm)).alarms.first).number
    try rig.move(to: "America/New_York")
    #expect(rig.due(number) == moment)
    try rig.bench.submit(DeleteChange(Selection(numbers: [number])))
    try rig.bench.submit(UndoChange(expected: nil))
    #expect(rig.due(number) == moment)
  }

  @Test("An elapse that the change moves into the past rings at once, late because of the zone")
  func past() throws {
    let (rig, number) = try rig("*-*-* 23:00")
    rig.bench.clock.advance(.seconds(20 * 60))
    // 22:54 in Berlin is 16:54 in New York, and then 06:54 in Tokyo: 23:00 is over there.
    try rig.move(to: "America/New_York")
    rig.bench.clock.advance(.seconds(5 * 3_600))
    try rig.move(to: "Europe/Berlin")
    #expect(rig.rung == [number])
    #expect(rig.rings.all.first?.reason == .zoneChange)
    #expect(rig.rings.all.first?.dueAt == (try ZoneRig.utc("2026-11-20 22:00:00")))
  }

  @Test("An alarm with a zone of its own follows only that zone's data")
  func named() throws {
    let (rig, number) = try rig("*-*-* 07:30 Europe/London", zone: "Europe/London")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 06:30:00")))
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 06:30:00")))
    try rig.folder.update("Europe/London", to: "Europe/London")
    rig.look()
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 07:30:00")))
  }

  @Test("An alarm resumed under new rules of its zone is not moved by them again")
  func resumed() throws {
    let rig = try ZoneRig(clock: FakeClock(wall: try ZoneRig.utc("2026-10-25 00:50:00")))
    var alarm = rig.bench.new(nil)
    alarm.timing = .every(
      .event(try #require(CalendarEvent("*-*-* *:0/5"))), zone: "Asia/Tokyo", floats: false)
    alarm.due = .wall(try ZoneRig.utc("2026-10-25 00:55:00"))
    let number = try #require(try rig.bench.submit(ScheduleChange(alarm)).alarms.first).number
    try rig.bench.submit(PauseChange(Selection(numbers: [number])))
    try rig.folder.update("Asia/Tokyo", to: "Europe/Berlin")
    rig.look()
    // 02:12 in Berlin for the second time: both passes of the repeated hour have elapsed.
    rig.bench.clock.advance(.seconds(22 * 60))
    try rig.bench.submit(ResumeChange(Selection(numbers: [number])))
    #expect(rig.due(number) == (try ZoneRig.utc("2026-10-25 02:00:00")))
    rig.settle()
    #expect(rig.due(number) == (try ZoneRig.utc("2026-10-25 02:00:00")))
    #expect(rig.zoneEvents == [])
  }

  @Test("An alarm restored under new rules of its zone is not moved by them again")
  func undeleted() throws {
    let rig = try ZoneRig()
    var alarm = rig.bench.new(nil)
    alarm.timing = .every(
      .event(try #require(CalendarEvent("*-*-* 07,22,23:40"))), zone: "Asia/Tokyo", floats: false)
    alarm.due = .wall(try ZoneRig.utc("2026-11-20 22:40:00"))
    let number = try #require(try rig.bench.submit(ScheduleChange(alarm)).alarms.first).number
    try rig.bench.submit(DeleteChange(Selection(numbers: [number])))
    try rig.folder.update("Asia/Tokyo", to: "Europe/Berlin")
    rig.look()
    // In Berlin it would have rung ten minutes ago; it rings at its stored moment.
    rig.advance(.seconds(900))
    try rig.bench.submit(UndoChange(expected: nil))
    rig.settle()
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-20 22:40:00")))
    #expect(rig.zoneEvents == [])
    #expect(rig.rung == [])
  }
}
