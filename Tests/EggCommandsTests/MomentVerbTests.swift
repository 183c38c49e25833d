import EggTime
import Testing

@testable import EggCommands

/// Rings before the moment, days to skip and days off, with a scripted daemon.
@Suite struct MomentVerbTests {
  /// Tomorrow at 14:30, next a day before.
  private static let meeting = """
    {"number":12,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1795219200000000,\
    "label":"meeting","expression":"tomorrow 14:30","kind":"at","zone":"UTC","floats":true,\
    "civil":"2026-11-21 14:30:00","createdAt":1795210470000000,"leads":["0s","15min","1d"],\
    "moment":1795271400000000}
    """
  /// Every day at 07:30, quiet over Christmas.
  private static let daily = """
    {"number":15,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1795246200000000,\
    "label":"get up","expression":"daily 07:30","kind":"every","zone":"UTC","floats":true,\
    "createdAt":1795210470000000,"calendarEvent":"*-*-* 07:30:00","skips":["2026-12-24..2027-01-01"],\
    "except":["holidays"]}
    """

  private static func eggctl(
    _ words: [String], answers: [ScriptedDaemon.Answer]
  ) throws -> (run: Run, calls: [String]) {
    let daemon = try ScriptedDaemon(answers)
    defer { daemon.end() }
    return (Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory]), daemon.calls)
  }

  private static func changed(_ alarms: String) -> ScriptedDaemon.Answer {
    .reply("{\"alarms\":[\(alarms)],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
  }

  private static func made(_ alarm: String, past: String = "") -> ScriptedDaemon.Answer {
    .reply("{\"alarm\":\(alarm),\"existed\":false,\"sequence\":1\(past)}")
  }

  @Test(
    "schedule sends leads, the moment among them unless only those before are wanted",
    arguments: [
      (["tomorrow", "14:30", "meeting", "--before", "15m", "--before", "1d"], "[\"0s\",\"15min\",\"1d\"]"),
      (["tomorrow", "14:30", "--before", "15m", "--only-before"], "[\"15min\"]"),
      (["tomorrow", "14:30", "meeting", "15", "minutes", "before"], "[\"0s\",\"15min\"]"),
      (["tomorrow 14:30 meeting 15 minutes before", "--before", "1d"], "[\"0s\",\"15min\",\"1d\"]"),
    ])
  func leads(words: [String], expected: String) throws {
    let (run, calls) = try Self.eggctl(["schedule"] + words, answers: [Self.made(Self.meeting)])
    #expect(
      run == .said("#12  2026. 11. 21. 00:00:00  in 2 h 25 min 30 s  for 14:30   meeting\n"))
    let call = try #require(calls.first)
    #expect(call.contains("\"leads\":\(expected)"), "\(call)")
    #expect(call.contains("\"expression\":\"tomorrow 14:30\""), "\(call)")
  }

  @Test("schedule names leads that are past")
  func past() throws {
    let run = try Run.eggctl(
      "schedule", "tomorrow", "14:30", "--before", "1d",
      answers: [Self.made(Self.meeting, past: ",\"past\":[\"1d\",\"24h\"]")]
    ).run
    #expect(run.messages == "eggctl: hint: it does not ring 1 d and 24 h before, because that has passed\n")
  }

  @Test("Without days off, a time that never rings is blamed on --only-before")
  func onlyPast() throws {
    let refused = ScriptedDaemon.Answer.messages([
      "{\"error\":\"io.eggd.Schedule.NeverRings\",\"parameters\":{}}"
    ])
    #expect(
      try Run.eggctl(
        "schedule", "tomorrow", "9:00", "--only-before", "--before", "2d", answers: [refused]
      ).run
        == .failed(
          .usage,
          """
          eggctl: error: it would never ring: all its rings are past
          eggctl: hint: leave out --only-before

          """))
  }

  @Test("Leads are shown in full, and days of the calendar apart from hours")
  func leadWords() throws {
    let leads = try ["0s", "1d", "24h", "25h 1min", "1h 30min 30s", "-15min"].map { try #require(Lead($0)) }
    #expect(
      Moments(zone: .utc, now: Run.now).leads(leads)
        == "1 h 30 min 30 s, 25 h 1 min, 24 h and 1 d before, at the moment, 15 min after")
  }

  @Test(
    "schedule sends the names of days off, said as options or in the sentence",
    arguments: [
      ["daily", "07:30", "get up", "--except", "holidays", "--except", "trip"],
      ["daily", "07:30", "except", "holidays", "and", "trip"],
      ["매일", "07:30", "holidays", "제외", "--except", "trip"],
    ])
  func except(words: [String]) throws {
    let (run, calls) = try Self.eggctl(["schedule"] + words, answers: [Self.made(Self.daily)])
    #expect(run.status == .success, "\(run)")
    let call = try #require(calls.first)
    #expect(
      call.contains("\"except\":[\"holidays\",\"trip\"]")
        || call.contains("\"except\":[\"trip\",\"holidays\"]"),
      "\(call)")
  }

  @Test(
    "What cannot be meant is refused before eggd is asked",
    arguments: [
      (
        ["schedule", "14:30", "--only-before"],
        """
        eggctl: error: --only-before needs --before
        eggctl: hint: --before 15m --only-before

        """
      ),
      (
        ["schedule", "14:30", "--before", "29d"],
        """
        eggctl: error: --before takes whole seconds, at most 28 days, or none: not '29d'
        eggctl: hint: --before 15m --before 1d

        """
      ),
      (
        ["schedule", "14:30", "--before", "20m, half an hour"],
        """
        eggctl: error: --before takes one span: not '20m, half an hour'
        eggctl: hint: --before 20m --before "half an hour"

        """
      ),
      (
        ["skip", "3", "--from", "2026-12-24"],
        """
        eggctl: error: --from needs --until, the day of return
        eggctl: hint: eggctl help skip

        """
      ),
      (
        ["skip", "3", "--until", "2026-11-20"],
        "eggctl: error: --until is the day of return, and '2026-11-20' is not after today\neggctl: hint: eggctl help skip\n"
      ),
      (
        ["skip", "3", "--from", "2027-01-02", "--until", "2026-12-24"],
        "eggctl: error: --until is not after --from\neggctl: hint: eggctl help skip\n"
      ),
      (
        ["skip", "3", "--until", "2026-12-24 07:30"],
        """
        eggctl: error: '2026-12-24 07:30' is not a day
        eggctl: hint: enter a day: monday, 'dec 24', 2027-01-02

        """
      ),
      (
        ["skip", "3", "--clear", "--until", "monday"],
        "eggctl: error: --clear excludes --from and --until\neggctl: hint: eggctl help skip\n"
      ),
      (
        ["skip", "3", "--group", "work"],
        "eggctl: error: --group, --all and named alarms exclude each other\neggctl: hint: eggctl help skip\n"
      ),
    ])
  func refused(words: [String], messages: String) {
    #expect(Run.run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"]) == .failed(.usage, messages))
  }

  @Test("edit takes leads and days off away with none, and sets them without a new time")
  func edit() throws {
    let (_, calls) = try Run.eggctl(
      "edit", "15", "--before", "none", "--except", "none", "--only-on", "trip",
      answers: [Self.changed(Self.daily)])
    let call = try #require(calls.first)
    for member in ["\"leads\":[]", "\"except\":[]", "\"onlyOn\":[\"trip\"]"] {
      #expect(call.contains(member), "\(call)")
    }
    let said = try Run.eggctl("edit", "15", "10", "minutes", "before", answers: [Self.changed(Self.daily)])
    #expect(try #require(said.calls.first).contains("\"leads\":[\"0s\",\"10min\"]"), "\(said)")
  }

  @Test("skip --until sends the day of return and says when the alarm next rings")
  func skipUntil() throws {
    let (run, calls) = try Run.eggctl(
      "skip", "15", "--from", "2026-12-24", "--until", "2027-01-02", answers: [Self.changed(Self.daily)])
    #expect(
      run
        == .said(
          "#15  next rings Sat 07:30  in 9 h 55 min 30 s  skips 24 Dec – 1 Jan  except holidays   get up\n"))
    let call = try #require(calls.first)
    #expect(call.contains("\"from\":\"2026-12-24\"") && call.contains("\"until\":\"2027-01-02\""), "\(call)")
    let pause = try Run.eggctl("pause", "15", "--until", "monday", answers: [Self.changed(Self.daily)])
    #expect(pause.run.output == run.output)
    let second = try #require(pause.calls.first)
    #expect(
      second.contains("io.eggd.Schedule.Skip") && second.contains("\"until\":\"2026-11-23\""), "\(second)")
  }

  @Test("A day may be so many days away", arguments: ["in 2 weeks", "now + 14 days", "14d", "2주 뒤"])
  func daysAway(text: String) throws {
    let (_, calls) = try Run.eggctl("skip", "15", "--until", text, answers: [Self.changed(Self.daily)])
    #expect(try #require(calls.first).contains("\"until\":\"2026-12-04\""), "\(calls)")
  }

  @Test("A return a week ahead is shown with its date")
  func farReturn() throws {
    let later = Self.daily.replacing("1795246200000000", with: "1798875000000000")
    let run = try Run.eggctl("skip", "15", "--clear", answers: [Self.changed(later)]).run
    #expect(
      run
        == .said(
          "#15  next rings Sat 2 Jan 07:30  in 42 d 9 h 55 min 30 s  skips 24 Dec – 1 Jan  except holidays   get up\n"
        ))
  }

  @Test("skip --group selects the recurring alarms of the group")
  func skipGroup() throws {
    let page = """
      {"alarms":[\(Self.daily),\(Self.meeting)],"totals":{"alarms":2,"eggs":2}}
      """
    let (run, calls) = try Run.eggctl(
      "skip", "--group", "work", "--until", "monday", answers: [.reply(page), Self.changed(Self.daily)])
    #expect(run.status == .success, "\(run)")
    #expect(try #require(calls.last).contains("\"numbers\":[15]"), "\(calls)")
  }

  @Test("An alarm that stays paused comes with the command that resumes it", arguments: ["skip", "pause"])
  func stillPaused(verb: String) throws {
    let paused = Self.daily.replacing("\"scheduled\"", with: "\"paused\"")
    let run = try Run.eggctl(verb, "15", "--until", "monday", answers: [Self.changed(paused)]).run
    #expect(run.status == .success)
    #expect(run.messages == "eggctl: hint: eggctl resume 15\n")
  }

  @Test("skip --until refuses a one-shot and names edit")
  func oneShot() throws {
    let run = try Run.eggctl(
      "skip", "12", "--until", "monday",
      answers: [
        .messages([
          """
          {"error":"io.eggd.Schedule.WrongState","parameters":{"number":12,"state":"scheduled"}}
          """
        ])
      ]
    ).run
    #expect(
      run
        == .failed(
          .refused,
          """
          eggctl: error: alarm 12 is scheduled: only recurring alarms that are not over can skip days; use edit
          eggctl: hint: eggctl show 12

          """))
  }

  @Test("show says how an alarm rings, for which moment, and which days it skips")
  func show() throws {
    let meeting = try Run.eggctl(
      "show", "12", answers: [.reply("{\"alarm\":\(Self.meeting),\"occurrences\":[]}")]
    ).run.output
    #expect(meeting.contains("rings    1 d and 15 min before, at the moment\n"), "\(meeting)")
    #expect(meeting.contains("moment   2026. 11. 21. 14:30:00\n"), "\(meeting)")
    let daily = try Run.eggctl(
      "show", "15", answers: [.reply("{\"alarm\":\(Self.daily),\"occurrences\":[],\"upcoming\":[]}")]
    ).run.output
    #expect(daily.contains("except   holidays\n") && daily.contains("skips    24 Dec – 1 Jan\n"), "\(daily)")
  }

  @Test("list says for which moment an alarm rings, and what it skips")
  func list() throws {
    let page = """
      {"alarms":[\(Self.meeting),\(Self.daily)],"totals":{"alarms":2,"eggs":2,"next":1795219200000000}}
      """
    let run = try Run.eggctl("list", answers: [.reply(page)]).run
    #expect(
      run
        == .said(
          """
          2 eggs in 2 alarms · next rings in 2 h 25 min
            #   DUE                      LEFT          STATE      EGGS  LABEL
           12   2026. 11. 21. 00:00:00   2 h 25 min    scheduled     1  meeting · for 14:30
           15   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ get up · skips 24 Dec – 1 Jan

          """))
  }
}
