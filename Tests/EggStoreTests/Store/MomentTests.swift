import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore
@testable import Ringing

extension StoreBench {
  /// All calendars of days off, or one.
  func daysOff(_ name: String? = nil) throws -> [DaysOffSums] {
    try wait { store.ask({ try $0.daysOff(named: name) }, completion: $0) }.get()
  }

  /// A recurring alarm in UTC with leads, or days on which it keeps quiet.
  @discardableResult
  func every(_ text: String, _ rules: MomentRules, count: Int64? = nil, until: Instant? = nil) throws -> Alarm
  {
    let event = try #require(CalendarEvent(text))
    let due = try #require(event.next(after: now, in: .utc))
    var alarm = new(nil)
    alarm.timing = .every(.event(event), zone: "UTC", floats: false)
    (alarm.expression, alarm.due, alarm.rules) = (text, .wall(due), rules)
    (alarm.count, alarm.until) = (count, until)
    return try #require(try submit(ScheduleChange(alarm)).alarms.first)
  }

  /// The ring of what an alarm waits for, as a scheduler reports it.
  func elapse(_ number: Int64) throws {
    let entry = try #require(observer.moments.last { $0.number == number }?.waiting.first)
    let due = Instant(microseconds: entry.due.microseconds)
    clock.advance(
      store.currentBoot == entry.due.clock ? due - Instant(microseconds: clock.read().boot) : due - now)
    var ring = RingRecord(
      occurrence: now.microseconds, key: entry.key, due: entry.due, dueAt: now, ahead: entry.ahead,
      firedAt: now,
      lateness: .zero, reason: nil)
    if let course = entry.recurrence?.course(from: due, to: due) {
      (ring.elapsed, ring.used) = (course.elapsed, course.used)
      ring.next = course.next.map { DuePoint(clock: entry.due.clock, microseconds: $0.ring.microseconds) }
      ring.nextAhead = course.next?.ahead ?? .zero
    }
    recorded([ring])
  }

  /// When it rings next, in UTC.
  func next(_ number: Int64) -> String? {
    alarm(number)?.due.map { Zone.utc.civil(at: Instant(microseconds: $0.microseconds)).description }
  }
}

/// It is Friday, 2026-11-20 21:34:30 in UTC.
@Suite("Leads, ranges to skip and days off in the store")
struct MomentTests {
  private let one = Selection(numbers: [1])

  private func lead(_ text: String) throws -> Lead { try #require(Lead(text)) }

  private func days(_ texts: String...) throws -> [DayRange] { try texts.map { try #require(DayRange($0)) } }

  private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

  @Test("A one-shot rings at its leads and its moment, and is over after the last")
  func oneShot() throws {
    let bench = try StoreBench()
    var alarm = bench.new(after: .seconds(7_200))
    alarm.rules.leads = [.zero, try lead("15min"), try lead("1d")]
    let outcome = try bench.submit(ScheduleChange(alarm))
    #expect(outcome.past == [try lead("1d")])
    let made = try #require(outcome.alarms.first)
    #expect(made.due == .wall(bench.now + .seconds(6_300)))
    #expect(made.ahead == .seconds(900))
    #expect(made.moment { Instant(microseconds: $0.microseconds) } == bench.now + .seconds(7_200))
    try bench.elapse(1)
    let rung = try #require(bench.alarm(1))
    #expect((rung.phase, rung.ahead) == (.ringing, .zero))
    #expect(rung.due == alarm.due)
    #expect(rung.latest?.ahead == .seconds(900))
    try bench.elapse(1)
    let over = try #require(bench.alarm(1))
    #expect((over.state, over.phase) == (.over, .ringing))
    #expect(try bench.occurrences(1).filter(\.isRinging).count == 1)
  }

  @Test("A countdown that an undo brings back after a restart of the machine rings at all its leads")
  func undoneAfterRestart() throws {
    let bench = try StoreBench()
    var alarm = bench.new("eggs")
    alarm.timing = .countdown(.seconds(3_600))
    let end = Instant(microseconds: bench.clock.read().boot) + .seconds(3_600)
    alarm.due = DuePoint(clock: bench.store.currentBoot, microseconds: end.microseconds)
    alarm.rules.leads = [.zero, try lead("10min"), try lead("30min")]
    let moment = bench.now + .seconds(3_600)
    try bench.submit(ScheduleChange(alarm))
    try bench.submit(DeleteChange(one))
    bench.clock.reboot(wall: bench.now + .seconds(60))
    try bench.reopen(bootID: "boot-2")
    bench.store.moveEarlierBoots()
    try bench.submit(UndoChange(expected: nil))
    var rung: [Instant] = []
    for _ in 1...3 {
      try bench.elapse(1)
      rung.append(bench.now)
    }
    #expect(rung == [moment - .seconds(1_800), moment - .seconds(600), moment])
    #expect(bench.alarm(1)?.due == nil)
  }

  @Test("The leads of a countdown are on its clock, after a restart of the machine too")
  func countdown() throws {
    let bench = try StoreBench()
    var alarm = bench.new()
    alarm.timing = .countdown(.seconds(3_600))
    alarm.due = DuePoint(
      clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 3_600_000_000)
    alarm.rules.leads = [.zero, try lead("10min"), try lead("30min")]
    try bench.submit(ScheduleChange(alarm))
    try bench.elapse(1)
    let rung = try #require(bench.alarm(1))
    #expect(rung.due?.clock == bench.store.currentBoot)
    #expect(rung.due?.microseconds == alarm.due.map { $0.microseconds - 600_000_000 })
    #expect(rung.ahead == .seconds(600))
    // The first lead rang 30 minutes before the moment.
    let moment = bench.now + .seconds(1_800)
    try bench.reopen(bootID: "boot-2")
    #expect(bench.alarm(1)?.due == .wall(moment - .seconds(600)))
    #expect(bench.alarm(1)?.ahead == .seconds(600))
  }

  @Test("Only the moment itself uses up the count, and what is skipped does")
  func counted() throws {
    let bench = try StoreBench()
    let leads = [Lead.zero, try lead("1h")]
    try bench.every("*-*-* 07:30:00", MomentRules(leads: leads), count: 4)
    #expect(bench.next(1) == "2026-11-21 06:30:00")
    try bench.elapse(1)
    #expect(bench.alarm(1)?.count == 4)
    #expect(bench.next(1) == "2026-11-21 07:30:00")
    try bench.elapse(1)
    #expect(bench.alarm(1)?.count == 3)
    try bench.submit(SkipDaysChange(one, .range(from: nil, until: try date("2026-11-23"))))
    #expect(bench.alarm(1)?.count == 2)
    #expect(bench.next(1) == "2026-11-23 06:30:00")
    try bench.submit(SkipDaysChange(one, .clear))
    #expect(bench.alarm(1)?.count == 3)
    #expect(bench.next(1) == "2026-11-22 06:30:00")
    // The next moment with its lead.
    try bench.submit(SkipChange(one))
    #expect(bench.alarm(1)?.count == 2)
    #expect(bench.next(1) == "2026-11-23 06:30:00")
    for _ in 0..<4 { try bench.elapse(1) }
    #expect(bench.alarm(1)?.state == .over)
    #expect(bench.alarm(1)?.count == 0)
  }

  @Test("One whose times are all on days to skip is over, and waits for as many when it skips none")
  func skipsAll() throws {
    let bench = try StoreBench()
    try bench.every("*-*-* 07:30:00", .none, count: 4)
    try bench.submit(SkipDaysChange(one, .range(from: nil, until: try date("2026-12-24"))))
    #expect(bench.alarm(1)?.state == .over)
    try bench.submit(SkipDaysChange(one, .clear))
    #expect(bench.alarm(1)?.state == .scheduled)
    #expect(bench.alarm(1)?.count == 4)
    #expect(bench.next(1) == "2026-11-21 07:30:00")
  }

  @Test("A lead that is longer than the interval rings for a later moment, and a skip leaves it")
  func overlapping() throws {
    let bench = try StoreBench()
    try bench.every("*-*-* 07:30:00", MomentRules(leads: [.zero, try lead("1d 12h")]))
    #expect(bench.next(1) == "2026-11-21 07:30:00")
    try bench.elapse(1)
    #expect(bench.next(1) == "2026-11-21 19:30:00")
    #expect(bench.alarm(1)?.ahead == .seconds(129_600))
    // Tomorrow's moment: the lead is that of the day after it.
    try bench.submit(SkipChange(one))
    #expect(bench.next(1) == "2026-11-21 19:30:00")
    try bench.elapse(1)
    #expect(bench.next(1) == "2026-11-22 19:30:00")
  }

  @Test("A range to skip is kept, is merged with others, and goes when it is past; at most 64")
  func ranges() throws {
    let bench = try StoreBench()
    try bench.every("Mon..Fri *-*-* 07:30:00", .none)
    #expect(bench.next(1) == "2026-11-23 07:30:00")
    try bench.submit(SkipDaysChange(one, .range(from: try date("2026-12-24"), until: try date("2027-01-02"))))
    #expect(bench.next(1) == "2026-11-23 07:30:00")
    #expect(bench.alarm(1)?.rules.skips.description == "2026-12-24..2027-01-01")
    try bench.submit(SkipDaysChange(one, .range(from: nil, until: try date("2026-11-24"))))
    #expect(bench.next(1) == "2026-11-24 07:30:00")
    #expect(bench.alarm(1)?.rules.skips.description == "2026-11-20..2026-11-23 2026-12-24..2027-01-01")
    bench.clock.advance(.seconds(10 * 86_400))
    try bench.submit(SkipDaysChange(one, .range(from: try date("2027-01-02"), until: try date("2027-01-03"))))
    #expect(bench.alarm(1)?.rules.skips.description == "2026-12-24..2027-01-02")
    for week in 1...63 {
      let day = try date("2027-01-03").dayNumber + week * 7
      let change = SkipDaysChange(
        one, .range(from: CivilDate(dayNumber: day), until: CivilDate(dayNumber: day + 1)))
      try bench.submit(change)
    }
    let more = SkipDaysChange(one, .range(from: try date("2029-01-01"), until: try date("2029-01-02")))
    #expect(bench.submitted(more).error == .tooManySkips(number: 1, most: 64))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.rules.skips.ranges.count == 63)
  }

  @Test("An alarm whose last moments are all skipped never rang, and waits again without the skips")
  func skippedToTheEnd() throws {
    let bench = try StoreBench()
    let end = try #require(CivilDateTime("2026-11-22 12:00:00"))
    try bench.every("*-*-* 07:30:00", .none, until: Zone.utc.resolve(end).instant)
    try bench.submit(SkipDaysChange(one, .range(from: nil, until: try date("2026-11-23"))))
    #expect(bench.alarm(1)?.phase == .skipped)
    #expect(try bench.list(ListQuery(filter: ListFilter(phases: [.rung]))).alarms.isEmpty)
    #expect(try bench.list(ListQuery(filter: ListFilter(phases: [.skipped]))).alarms.count == 1)
    try bench.submit(SkipDaysChange(one, .clear))
    #expect(bench.next(1) == "2026-11-21 07:30:00")
    #expect(bench.submitted(SkipDaysChange(one, .clear)).error == nil)
    for _ in 1...2 { try bench.elapse(1) }
    #expect(bench.submitted(SkipDaysChange(one, .clear)).error != nil)
  }

  @Test("A one-shot has no days to skip")
  func oneShotSkips() throws {
    let bench = try StoreBench()
    try bench.schedule()
    let change = SkipDaysChange(one, .range(from: nil, until: try date("2026-11-24")))
    #expect(bench.submitted(change).error == .wrongState(number: 1, .scheduled))
  }

  @Test("New days off move the alarms that name them, and undo and redo move them back")
  func daysOff() throws {
    let bench = try StoreBench()
    let rules = MomentRules(except: ["holidays"])
    #expect(throws: ChangeError.noSuchDaysOff("holidays", known: [])) {
      try bench.every("*-*-* 07:30:00", rules)
    }
    try bench.submit(DaysOffChange("holidays", .replace(try days("2026-12-25"))))
    try bench.every("*-*-* 07:30:00", rules)
    try bench.every("*-*-* 07:30:00", MomentRules(onlyOn: ["holidays"]))
    try bench.every("*-*-* 07:30:00", .none)
    #expect((1...3).map(bench.next) == ["2026-11-21 07:30:00", "2026-12-25 07:30:00", "2026-11-21 07:30:00"])
    let outcome = try bench.submit(
      DaysOffChange("holidays", .replace(try days("2026-11-21..2026-11-22", "2026-12-25"))))
    #expect(outcome.alarmsMoved == 2)
    #expect(outcome.daysOff?.alarms == 2)
    let moved = ["2026-11-23 07:30:00", "2026-11-21 07:30:00", "2026-11-21 07:30:00"]
    #expect((1...3).map(bench.next) == moved)
    // What waits in memory knows the days as well.
    let entry = try #require(bench.observer.moments.last { $0.number == 2 }?.waiting.first)
    let later = entry.recurrence?.next(
      after: Instant(microseconds: entry.due.microseconds) + .seconds(86_400))
    #expect(later.map { Zone.utc.civil(at: $0.ring).description } == "2026-12-25 07:30:00")
    try bench.submit(UndoChange(expected: nil))
    #expect((1...3).map(bench.next) == ["2026-11-21 07:30:00", "2026-12-25 07:30:00", "2026-11-21 07:30:00"])
    try bench.submit(UndoChange(expected: nil, redoes: true))
    #expect((1...3).map(bench.next) == moved)
  }

  @Test("Days off that are there already change nothing, so undo takes back what was changed before")
  func sameDaysOff() throws {
    let bench = try StoreBench()
    let present = try days("2026-11-21..2026-11-23")
    try bench.submit(DaysOffChange("trip", .add(present)))
    try bench.every("*-*-* 07:30:00", MomentRules(except: ["trip"]))
    for same in [DaysOffChange.Edit.add(try days("2026-11-22")), .replace(present)] {
      let outcome = try bench.submit(DaysOffChange("trip", same))
      #expect(outcome.daysOff?.days.count == 3)
      #expect(outcome.daysOff?.alarms == 1)
    }
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.kind == .schedule)
  }

  @Test("Days off that are used cannot be deleted; renamed, their alarms follow")
  func renamed() throws {
    let bench = try StoreBench()
    try bench.submit(DaysOffChange("holidays", .add(try days("2026-11-21"))))
    try bench.submit(DaysOffChange("trip", .add(try days("2026-11-23"))))
    try bench.every("*-*-* 07:30:00", MomentRules(except: ["trip", "holidays"]))
    #expect(bench.next(1) == "2026-11-22 07:30:00")
    #expect(bench.submitted(DaysOffChange("trip", .delete)).error == .daysOffInUse("trip", [1]))
    #expect(bench.submitted(DaysOffChange("trip", .rename("holidays"))).error == .daysOffExist("holidays"))
    #expect(
      bench.submitted(DaysOffChange("trips", .delete)).error
        == .noSuchDaysOff("trips", known: ["holidays", "trip"]))
    try bench.submit(DaysOffChange("trip", .rename("voyage")))
    #expect(bench.alarm(1)?.rules.except == ["voyage", "holidays"])
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.rules.except == ["trip", "holidays"])
    var edit = AlarmEdit()
    edit.except = []
    try bench.submit(EditChange(one, edit))
    #expect(bench.next(1) == "2026-11-21 07:30:00")
    try bench.submit(DaysOffChange("trip", .delete))
    let left = try bench.daysOff()
    #expect(left.map(\.name) == ["holidays"])
    try bench.submit(UndoChange(expected: nil))
    #expect(
      try bench.daysOff("trip").first?.days.count == 1)
  }

  @Test("An alarm whose days have run out waits again when more are imported")
  func runOut() throws {
    let bench = try StoreBench()
    try bench.submit(DaysOffChange("holidays", .replace(try days("2026-11-21"))))
    try bench.every("*-*-* 07:30:00", MomentRules(onlyOn: ["holidays"]))
    try bench.elapse(1)
    #expect(bench.alarm(1)?.state == .over)
    try bench.submit(DaysOffChange("holidays", .replace(try days("2026-11-21", "2027-01-01"))))
    #expect(bench.next(1) == "2027-01-01 07:30:00")
    #expect(bench.alarm(1)?.state == .scheduled)
  }

  @Test("Another program's days off count from its commit on")
  func foreign() throws {
    let bench = try StoreBench()
    try bench.submit(DaysOffChange("holidays", .replace(try days("2026-12-25"))))
    try bench.stranger().write { try $0.execute(sql: "UPDATE days_off SET days = '2026-11-21'") }
    try bench.every("*-*-* 07:30:00", MomentRules(except: ["holidays"]))
    #expect(bench.next(1) == "2026-11-22 07:30:00")
  }

  @Test("Below a day, a lead has to be shorter than the interval")
  func tooLong() throws {
    let bench = try StoreBench()
    let rules = MomentRules(leads: [.zero, try lead("20min")])
    #expect(
      throws: ChangeError.leadTooLong(try lead("20min"), interval: .seconds(1_200), number: nil)
    ) { try bench.every("*-*-* *:0/20:00", rules) }
    try bench.every("*-*-* *:0/30:00", rules)
    var edit = AlarmEdit()
    edit.leads = [.zero, try lead("1d")]
    #expect(
      bench.submitted(EditChange(one, edit)).error
        == .leadTooLong(try lead("1d"), interval: .seconds(1_800), number: 1))
    #expect(bench.alarm(1)?.rules == rules)
  }

  @Test("New leads of a waiting alarm ring from now on; without a moment left they are refused")
  func edited() throws {
    let bench = try StoreBench()
    try bench.schedule(after: .seconds(3_600))
    var edit = AlarmEdit()
    edit.leads = [.zero, try lead("10min"), try lead("2h")]
    #expect(try bench.submit(EditChange(one, edit)).alarms.first?.due == .wall(bench.now + .seconds(3_000)))
    edit.leads = [try lead("2h")]
    #expect(bench.submitted(EditChange(one, edit)).error == .neverRings(number: 1))
    edit.leads = []
    #expect(try bench.submit(EditChange(one, edit)).alarms.first?.due == .wall(bench.now + .seconds(3_600)))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.due == .wall(bench.now + .seconds(3_000)))
    #expect(bench.alarm(1)?.ahead == .seconds(600))
  }

  @Test("Extended, a one-shot with leads waits for those of its new moment")
  func extended() throws {
    let bench = try StoreBench()
    var alarm = bench.new(after: .seconds(3_600))
    alarm.rules.leads = [.zero, try lead("30min")]
    try bench.submit(ScheduleChange(alarm))
    try bench.elapse(1)
    #expect(bench.alarm(1)?.due == alarm.due)
    let extended = try bench.submit(ExtendChange(one, by: .seconds(600))).alarms.first
    #expect(extended?.due == .wall(bench.now + .seconds(600)))
    #expect(extended?.ahead == .seconds(1_800))
  }

  @Test("Paused and resumed, a countdown has the same leads before its moment")
  func paused() throws {
    let bench = try StoreBench()
    var alarm = bench.new()
    alarm.timing = .countdown(.seconds(3_600))
    alarm.due = DuePoint(
      clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 3_600_000_000)
    alarm.rules.leads = [.zero, try lead("10min")]
    try bench.submit(ScheduleChange(alarm))
    try bench.submit(PauseChange(one))
    #expect(bench.alarm(1)?.remaining == .seconds(3_000))
    bench.clock.advance(.seconds(10_000))
    let resumed = try #require(try bench.submit(ResumeChange(one)).alarms.first)
    #expect(resumed.due?.microseconds == bench.clock.read().boot + 3_000_000_000)
    #expect(resumed.ahead == .seconds(600))
  }

  @Test("Changed while it is paused, a countdown waits for the first lead that is left")
  func changedInPause() throws {
    let bench = try StoreBench()
    var alarm = bench.new()
    alarm.timing = .countdown(.seconds(3_600))
    alarm.due = DuePoint(
      clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 3_600_000_000)
    alarm.rules.leads = [.zero, try lead("10min"), try lead("50min")]
    try bench.submit(ScheduleChange(alarm))
    try bench.elapse(1)
    try bench.submit(PauseChange(one))
    #expect(bench.alarm(1)?.remaining == .seconds(2_400))
    let later = try bench.submit(ExtendChange(one, by: .seconds(1_200))).alarms.first
    #expect(later?.remaining == .seconds(1_200))
    #expect(later?.ahead == .seconds(3_000))
    let sooner = try bench.submit(ExtendChange(one, by: .seconds(-3_900))).alarms.first
    #expect(sooner?.remaining == .seconds(300))
    #expect(sooner?.ahead == .zero)
    var edit = AlarmEdit()
    edit.leads = [try lead("10min")]
    #expect(bench.submitted(EditChange(one, edit)).error == .neverRings(number: 1))
  }

  @Test("What a paused alarm skips uses up its count, and is left again where it is not skipped")
  func countedInPause() throws {
    let bench = try StoreBench()
    try bench.every("*-*-* 07:30:00", MomentRules(leads: [.zero, try lead("1h")]), count: 4)
    try bench.submit(PauseChange(one))
    try bench.submit(SkipDaysChange(one, .range(from: nil, until: try date("2026-11-23"))))
    #expect(bench.alarm(1)?.count == 2)
    try bench.submit(SkipDaysChange(one, .clear))
    #expect(bench.alarm(1)?.count == 4)
    try bench.submit(SkipDaysChange(one, .range(from: nil, until: try date("2026-11-23"))))
    try bench.submit(ResumeChange(one))
    #expect(bench.alarm(1)?.count == 2)
    #expect(bench.next(1) == "2026-11-23 06:30:00")
  }

  @Test("An undo lets no lead ring again that rang before the clock was set back")
  func undoneLead() throws {
    let bench = try StoreBench()
    var alarm = bench.new(after: .seconds(7_200))
    alarm.rules.leads = [.zero, try lead("30min")]
    try bench.submit(ScheduleChange(alarm))
    try bench.elapse(1)
    try bench.submit(DeleteChange(one))
    bench.clock.step(.seconds(-3_600))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.due == alarm.due)
  }

  @Test("An undo leaves the lead that an alarm at a date waits for, though an earlier one is ahead again")
  func keptLead() throws {
    let bench = try StoreBench()
    let moment = bench.clock.read().wall + .seconds(30)
    var alarm = bench.new(after: .seconds(30))
    alarm.timing = .civil(Zone.utc.civil(at: moment), zone: "UTC", floats: false)
    alarm.due = .wall(moment)
    alarm.rules.leads = [.zero, try lead("10s"), try lead("40s")]
    try bench.submit(ScheduleChange(alarm))
    let waits = DuePoint.wall(moment - .seconds(10))
    #expect(bench.alarm(1)?.due == waits)
    bench.clock.step(.seconds(-20))
    try bench.submit(MarkDoneChange(one, true))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.due == waits)
  }
}
