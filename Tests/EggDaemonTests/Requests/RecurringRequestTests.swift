import EggStore
import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggProtocol

/// The time is 2026-11-20 22:34:30 in Paris, the machine's zone.
@Suite("Recurring alarms, Skip, Pause, Resume and Extend over the wire")
struct RecurringRequestTests {
  let rig: WireRig
  let client: ScheduleClient
  private let one = WireSelection(numbers: [1])

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  private var now: Instant { rig.clock.read().wall }

  @Test("All parameters of a recurring alarm are kept and returned; it floats without a named zone")
  func schedule() throws {
    let until = now + .seconds(10 * 86_400)
    let made = try client.call(
      ScheduleCall(
        expression: "Mon..Fri 07:30", until: until, count: 4, ifMissed: .ringWithin(.seconds(600)))
    ).alarm
    #expect(made.kind == .every)
    #expect(made.calendarEvent == "Mon..Fri *-*-* 07:30:00")
    #expect(made.zone == "Europe/Paris")
    #expect(made.floats == true)
    #expect((made.until, made.count) == (until, 4))
    #expect((made.ifMissed, made.ringWithin) == (.ringWithin, .seconds(600)))
    // Monday, 2026-11-23 07:30 CET.
    #expect(made.due == Instant(microseconds: 1_795_415_400_000_000))
    let shown = try client.call(ShowCall(number: 1))
    #expect(shown.alarm == made)
    #expect(try client.call(ListCall()).alarms == [made])
  }

  @Test("An expression may name the beginning and the end of the alarm; a parameter goes before it")
  func bounds() throws {
    let made = try client.call(ScheduleCall(expression: "every day 9am from tomorrow until monday")).alarm
    #expect(made.from == Instant(microseconds: 1_795_215_600_000_000))
    #expect(made.until == Instant(microseconds: 1_795_474_799_999_999))
    let again = try client.call(AgainCall(number: 1)).alarm
    #expect((again.from, again.until) == (made.from, made.until))
    let until = now + .seconds(5 * 86_400)
    let other = try client.call(ScheduleCall(expression: "every day 9am until monday", until: until)).alarm
    #expect(other.until == until)
  }

  @Test("An expression may say how often the alarm rings; a parameter goes before it")
  func counts() throws {
    let made = try client.call(ScheduleCall(expression: "every 10 min 4 times")).alarm
    #expect((made.count, made.due) == (4, now + .seconds(600)))
    #expect(try client.call(ShowCall(number: 1)).upcoming?.count == 4)
    #expect(try client.call(AgainCall(number: 1)).alarm.count == 4)
    #expect(try client.call(ScheduleCall(expression: "매일 오전 9시 5번", count: 2)).alarm.count == 2)
    var edit = EditCall(WireSelection(numbers: [3]))
    edit.expression = "every 10 min 4 times"
    #expect(try client.call(edit).alarms.first?.count == 4)
    #expect(
      try client.call(ResolveCall(expression: "every 10 min 4 times", count: 9)).occurrences
        == (1...4).map { now + .seconds(600 * $0) })
  }

  @Test("An expression's own zone applies, whatever the caller's")
  func zone() throws {
    let made = try client.call(ScheduleCall(expression: "07:30 Asia/Tokyo", kind: .every)).alarm
    #expect(made.floats != true)
    #expect(made.zone == "Asia/Tokyo")
    // 2026-11-21 07:30 in Tokyo.
    #expect(made.due == Instant(microseconds: 1_795_213_800_000_000))
  }

  @Test("Show lists the next five moments, or fewer up to the alarm's end; none while paused")
  func upcoming() throws {
    _ = try client.call(ScheduleCall(expression: "*:0/10"))
    _ = try client.call(ScheduleCall(expression: "*:0/10", count: 2))
    _ = try client.call(ScheduleCall(expression: "*:0/10", until: now + .seconds(330 + 1_200)))
    _ = try client.call(ScheduleCall(expression: "1h"))
    let first = now + .seconds(330)
    let ten = (0..<5).map { first + .seconds($0 * 600) }
    #expect(try client.call(ShowCall(number: 1)).upcoming == ten)
    #expect(try client.call(ShowCall(number: 2)).upcoming == Array(ten.prefix(2)))
    #expect(try client.call(ShowCall(number: 3)).upcoming == Array(ten.prefix(3)))
    #expect(try client.call(ShowCall(number: 4)).upcoming == nil)
    _ = try client.call(PauseCall(one))
    #expect(try client.call(ShowCall(number: 1)).upcoming == nil)
  }

  @Test("Invalid ends and policies are refused by their field")
  func refused() throws {
    func invalid(_ call: ScheduleCall) -> String? { invalidParameter { try client.call(call) } }
    #expect(invalid(ScheduleCall(expression: "*:0/10", count: 0)) == "count")
    #expect(invalid(ScheduleCall(expression: "*:0/10", count: -1)) == "count")
    #expect(invalid(ScheduleCall(expression: "1h", count: 2)) == "count")
    #expect(invalid(ScheduleCall(expression: "1h", until: now + .seconds(9_999))) == "until")
    var call = ScheduleCall(expression: "1h", ifMissed: .ringWithin(.zero))
    #expect(invalid(call) == "ringWithin")
    call.ringWithin = nil
    #expect(invalid(call) == "ringWithin")
    (call.ifMissed, call.ringWithin) = (.record, .seconds(1))
    #expect(invalid(call) == "ringWithin")
    call.ifMissed = nil
    #expect(invalid(call) == "ringWithin")
    #expect(
      refusal { try client.call(ScheduleCall(expression: "*:0/10", until: now + .seconds(329))) }
        == .inThePast(expression: "*:0/10", due: now + .seconds(329)))
    #expect(try client.call(ListCall()).alarms == [])
  }

  @Test("Events less than a tenth of a second apart and events that never elapse are refused")
  func impossible() {
    guard case .invalidExpression = refusal({ try client.call(ScheduleCall(expression: "*:*:0/0.09")) })
    else { Issue.record("it was not refused for that"); return }
    #expect(refusal { try client.call(ScheduleCall(expression: "*-02-30", kind: .every)) } != nil)
  }

  @Test("Edit changes the policy for missed alarms, and the end, which a new timing drops")
  func edit() throws {
    _ = try client.call(ScheduleCall(expression: "*:0/10", count: 4))
    var call = EditCall(one)
    (call.ifMissed, call.ringWithin) = (.ringWithin, .seconds(60))
    let edited = try #require(try client.call(call).alarms.first)
    #expect((edited.ifMissed, edited.ringWithin, edited.count) == (.ringWithin, .seconds(60), 4))
    call = EditCall(one)
    call.count = 0
    #expect(invalidParameter { try client.call(call) } == "count")
    call.count = 3
    #expect(try client.call(call).alarms.first?.count == 3)
    call = EditCall(one)
    call.ringWithin = .seconds(3)
    #expect(invalidParameter { try client.call(call) } == "ringWithin")
    call = EditCall(one)
    call.expression = "daily 00:00"
    let again = try #require(try client.call(call).alarms.first)
    #expect(again.count == nil)
    #expect((again.ifMissed, again.calendarEvent) == (.ringWithin, "*-*-* 00:00:00"))
    call.expression = "1h"
    let once = try #require(try client.call(call).alarms.first)
    #expect((once.kind, once.calendarEvent, once.count) == (.in, nil, nil))
  }

  @Test("A key of a recurring alarm holds while it goes on, for the same end and policy only")
  func key() throws {
    let call = ScheduleCall(expression: "*:0/10", key: "k", count: 2, ifMissed: .record)
    _ = try client.call(call)
    rig.clock.advance(.seconds(330))
    try rig.ring(1)
    #expect(try client.call(call).existed == true)
    var other = call
    other.count = 3
    #expect(refusal { try client.call(other) } == .keyInUse(key: "k", number: 1))
    other = call
    other.ifMissed = .ring
    #expect(refusal { try client.call(other) } == .keyInUse(key: "k", number: 1))
  }

  @Test("Again keeps the last moment, and is refused once no elapse precedes it")
  func againUntil() throws {
    let until = now + .seconds(1_000)
    _ = try client.call(ScheduleCall(expression: "*:0/10", until: until))
    #expect(try client.call(AgainCall(number: 1)).alarm.until == until)
    rig.clock.advance(.seconds(1_000))
    let ended = ScheduleError.noElapseLeft(number: 1, expression: "*:0/10", until: until)
    #expect(refusal { try client.call(AgainCall(number: 1)) } == ended)
    let failure = Answer<String>()
    rig.handler.perform(.again, numbers: [1]) { failure.give($1) }
    #expect(failure.wait() == ended.failure.name)
    #expect(try client.call(ListCall()).alarms.count == 2)
  }

  @Test("Edit removes the last moment and the count, also of an alarm that they have ended")
  func endless() throws {
    _ = try client.call(ScheduleCall(expression: "*:0/10", until: now + .seconds(1_000), count: 1))
    rig.clock.advance(.seconds(330))
    try rig.ring(1)
    #expect(try client.call(ShowCall(number: 1)).alarm.due == nil)
    var edit = EditCall(WireSelection(numbers: [1]))
    edit.endless = true
    let alarm = try #require(client.call(edit).alarms.first)
    #expect((alarm.until, alarm.count) == (nil, nil))
    #expect(alarm.due == now + .seconds(600))
    edit.count = 2
    #expect(invalidParameter { try client.call(edit) } == "endless")
    edit.count = nil
    edit.expression = "every day 9am until monday"
    #expect(invalidParameter { try client.call(edit) } == "endless")
  }

  @Test("Again does not bring back the end that its text names, once an edit has removed it")
  func againEndless() throws {
    _ = try client.call(ScheduleCall(expression: "every day 9am until monday"))
    _ = try client.call(ScheduleCall(expression: "every 10 minutes 4 times"))
    var edit = EditCall(WireSelection(numbers: [1, 2]))
    edit.endless = true
    _ = try client.call(edit)
    for number in [Int64(1), 2] {
      let again = try client.call(AgainCall(number: number)).alarm
      #expect((again.until, again.count) == (nil, nil))
    }
  }

  @Test("Again keeps what is left of a count, and is refused once it is used up")
  func againCount() throws {
    _ = try client.call(ScheduleCall(expression: "*:0/10", count: 2))
    rig.clock.advance(.seconds(330))
    try rig.ring(1, next: .wall(now + .seconds(600)))
    #expect(try client.call(AgainCall(number: 1)).alarm.count == 1)
    rig.clock.advance(.seconds(600))
    try rig.ring(1)
    #expect(
      refusal { try client.call(AgainCall(number: 1)) }
        == .noElapseLeft(number: 1, expression: "*:0/10", until: nil))
    // The bubble's Again is not for recurring alarms, yet another program may offer it.
    let failure = Answer<String>()
    rig.handler.perform(.again, numbers: [1]) { failure.give($1) }
    #expect(failure.wait() == "io.eggd.Schedule.NoElapseLeft")
    #expect(try client.call(ListCall()).alarms.count == 2)
  }

  @Test("An alarm with a beginning waits for its first moment after it, and returns the beginning")
  func from() throws {
    let from = now + .seconds(30 * 86_400)
    let made = try client.call(ScheduleCall(expression: "daily 00:00", from: from, count: 2)).alarm
    #expect((made.from, made.count) == (from, 2))
    // Midnight in Paris.
    let first = from + .seconds(86_400 - 81_270)
    #expect(made.due == first)
    let shown = try client.call(ShowCall(number: 1))
    #expect(shown.alarm == made)
    #expect(shown.upcoming == [first, first + .seconds(86_400)])
    #expect(try client.call(AgainCall(number: 1)).alarm.from == from)
    var call = EditCall(one)
    call.expression = "daily 00:00"
    call.from = from - .seconds(86_400)
    #expect(try client.call(call).alarms.first?.due == first - .seconds(86_400))
    call.from = nil
    let edited = try #require(try client.call(call).alarms.first)
    #expect(edited.from == nil && edited.due == now + .seconds(86_400 - 81_270))
    // A beginning in the past is not kept.
    rig.clock.advance(.seconds(40 * 86_400))
    #expect(try client.call(AgainCall(number: 2)).alarm.from == nil)
  }

  @Test("An invalid beginning is refused by its field")
  func wrongBeginning() throws {
    func invalid(_ call: ScheduleCall) -> String? { invalidParameter { try client.call(call) } }
    #expect(invalid(ScheduleCall(expression: "1h", from: now)) == "from")
    #expect(invalid(ScheduleCall(expression: "tomorrow 07:30", from: now)) == "from")
    #expect(invalid(ScheduleCall(expression: "daily", from: Instant(microseconds: -1))) == "from")
    #expect(invalid(ScheduleCall(expression: "daily", from: Instant(microseconds: .max))) == "from")
    let (from, until) = (now + .seconds(900_000), now + .seconds(600_000))
    #expect(
      refusal { try client.call(ScheduleCall(expression: "daily", from: from, until: until)) }
        == .inThePast(expression: "daily", due: until))
    var call = EditCall(one)
    call.from = Instant(microseconds: -1)
    #expect(invalidParameter { try client.call(call) } == "from")
    #expect(try client.call(ListCall()).alarms == [])
  }

  @Test(
    "An interval counts from now, or from its beginning",
    arguments: [
      ("every 20m", nil, "20min from 2026-11-20 21:34:30 UTC", 1_200),
      ("every 3 days at 08:00", nil, "3d 08:00:00 from 2026-11-21", 33_930),
      // From Sunday, 22:34:30.
      ("every 20m", 172_800, "20min from 2026-11-22 21:34:30 UTC", 172_800),
      ("every 3 days at 08:00", 172_800, "3d 08:00:00 from 2026-11-23", 33_930 + 172_800),
      ("every 2 weeks on mon,thu 07:30", 172_800, "2w Mon,Thu 07:30:00 from 2026-11-23", 32_130 + 172_800),
      ("every 2 months on the 31st 07:30", 172_800, "2month 31 07:30:00 from 2026-12-31", 3_488_130),
    ] as [(String, Int64?, String, Int64)])
  func intervals(text: String, from: Int64?, form: String, due: Int64) throws {
    let begin = from.map { now + .seconds($0) }
    let made = try client.call(ScheduleCall(expression: text, from: begin, count: 3)).alarm
    #expect((made.interval, made.calendarEvent, made.from) == (form, nil, begin))
    #expect(made.due == now + .seconds(due))
    #expect((made.zone, made.floats, made.kind) == ("Europe/Paris", true, .every))
    #expect(try client.call(ShowCall(number: 1)).alarm == made)
    let again = try client.call(AgainCall(number: 1)).alarm
    #expect((again.interval, again.from, again.due) == (form, begin, made.due))
    // Read again at the present time.
    rig.clock.advance(.seconds(10_000_000))
    let later = try client.call(AgainCall(number: 1)).alarm
    #expect(later.from == nil && later.interval != form)
    #expect(try #require(later.due) > now)
  }

  @Test("An imported interval is listed, shown and exported unchanged")
  func interval() throws {
    var alarm = try client.call(ScheduleCall(expression: "daily")).alarm
    _ = try client.call(DeleteCall(one))
    alarm.calendarEvent = nil
    alarm.interval = "2w Mon,Thu 07:30:00 from 2026-11-23"
    (alarm.from, alarm.due) = (now + .seconds(900_000), nil)
    #expect(try client.call(ImportAlarmsCall(alarms: [ImportedAlarm(alarm: alarm)])).staged == 1)
    #expect(try client.call(CommitImportCall()).count == 1)
    // The Monday after: 2026-12-07 07:30 in Paris.
    alarm.due = Instant(microseconds: 1_796_625_000_000_000)
    let listed = try #require(try client.call(ListCall()).alarms.first)
    #expect((listed.interval, listed.from, listed.due) == (alarm.interval, alarm.from, alarm.due))
    #expect((listed.calendarEvent, listed.floats, listed.kind) == (nil, true, .every))
    let upcoming = try #require(try client.call(ShowCall(number: listed.number)).upcoming)
    #expect(upcoming.map { ($0 - upcoming[0]).microseconds / 86_400_000_000 } == [0, 3, 14, 17, 28])
  }

  @Test("A rule is entered, shown, skipped, and imported unchanged")
  func rule() throws {
    let text = "DTSTART:20261123T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR EXDATE:20261231"
    let made = try client.call(ScheduleCall(expression: text)).alarm
    #expect((made.rule, made.interval, made.calendarEvent, made.expression) == (text, nil, nil, text))
    #expect((made.zone, made.floats, made.kind) == ("Europe/Paris", true, .every))
    // Monday 2026-11-30 07:30 in Paris.
    #expect(made.due == Instant(microseconds: 1_796_020_200_000_000))
    let upcoming = try #require(try client.call(ShowCall(number: 1)).upcoming)
    #expect(upcoming.map { ($0 - upcoming[0]).microseconds / 86_400_000_000 } == [0, 60, 88, 120, 150])
    let skipped = try client.call(SkipCall(one)).alarms.first?.due
    #expect(skipped == upcoming[1])
    _ = try client.call(UndoCall())
    #expect(try client.call(ShowCall(number: 1)).alarm.due == made.due)
    _ = try client.call(DeleteCall(one))
    var alarm = made
    alarm.due = nil
    #expect(try client.call(ImportAlarmsCall(alarms: [ImportedAlarm(alarm: alarm)])).staged == 1)
    #expect(try client.call(CommitImportCall()).count == 1)
    let listed = try #require(try client.call(ListCall()).alarms.first)
    #expect((listed.rule, listed.due) == (text, made.due))
    alarm.rule = "DTSTART:20261123T073000 RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"
    #expect(
      try client.call(ImportAlarmsCall(alarms: [ImportedAlarm(alarm: alarm)])).refused.map(\.field) == [
        "rule"
      ])
    #expect(refusal { try client.call(ScheduleCall(expression: "FREQ=DAILY;BYMOON=1")) } != nil)
  }

  @Test("Skip leaves out the next moment and answers with the one after")
  func skip() throws {
    _ = try client.call(ScheduleCall(expression: "*:0/10"))
    let reply = try client.call(SkipCall(WireSelection(numbers: [1, 9])))
    #expect(reply.missing == [9])
    #expect(reply.alarms.first?.due == now + .seconds(930))
    #expect(reply.sequence == 2)
    let past = try client.call(ShowCall(number: 1)).occurrences
    #expect(past.map(\.outcome) == [.skipped])
    #expect(try client.call(HistoryCall()).past.map(\.occurrence) == past)
  }

  @Test("Pause and Resume stop and continue a countdown; a date and time is in the wrong state")
  func pause() throws {
    _ = try client.call(ScheduleCall(expression: "10m"))
    _ = try client.call(ScheduleCall(expression: "tomorrow 07:30"))
    rig.clock.advance(.seconds(60))
    let paused = try #require(try client.call(PauseCall(one)).alarms.first)
    #expect((paused.state, paused.remaining, paused.due) == (.paused, .seconds(540), nil))
    rig.clock.advance(.seconds(3_600))
    let resumed = try #require(try client.call(ResumeCall(one)).alarms.first)
    #expect((resumed.state, resumed.remaining, resumed.due) == (.scheduled, nil, now + .seconds(540)))
    #expect(
      refusal { try client.call(PauseCall(WireSelection(numbers: [2]))) }
        == .wrongState(number: 2, state: .scheduled))
    #expect(refusal { try client.call(ResumeCall(one)) } == .wrongState(number: 1, state: .scheduled))
    #expect(try client.call(PauseCall(WireSelection(all: true))).alarms.map(\.number) == [1])
    #expect(refusal { try client.call(SkipCall(WireSelection(numbers: [7]))) } != nil)
  }

  @Test("Extend moves the moment by its span, but not into the past")
  func extend() throws {
    _ = try client.call(ScheduleCall(expression: "10m"))
    let later = try client.call(ExtendCall(one, span: .seconds(120)))
    #expect(later.alarms.first?.due == now + .seconds(720))
    #expect(try client.call(ExtendCall(one, span: .seconds(-30))).alarms.first?.due == now + .seconds(690))
    guard case .invalidDue(1, let due) = refusal({ try client.call(ExtendCall(one, span: .seconds(-690))) })
    else {
      Issue.record("it was not refused for that"); return
    }
    #expect(due <= now)
    for span in [Int64.max, .min] {
      guard
        case .invalidDue(1, let due) = refusal({
          try client.call(ExtendCall(one, span: TimeSpan(microseconds: span)))
        })
      else {
        Issue.record("it was not refused for that"); return
      }
      #expect(span > 0 ? due > .latest : due < now)
    }
    _ = try client.call(ScheduleCall(expression: "daily"))
    #expect(
      refusal { try client.call(ExtendCall(WireSelection(numbers: [2]), span: .seconds(1))) }
        == .wrongState(number: 2, state: .scheduled))
  }
}
