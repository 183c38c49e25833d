import Testing

@testable import EggCommands

/// Recurring alarms, skip, pause, resume and extend, with a scripted daemon.
@Suite struct RecurringVerbTests {
  private static let daily = """
    {"number":15,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1795246200000000,\
    "expression":"07:30","kind":"every","zone":"UTC","floats":true,"createdAt":1795210470000000,\
    "calendarEvent":"*-*-* 07:30:00","until":1798156799999999,"count":4,"ifMissed":"ringWithin",\
    "ringWithin":600000000}
    """
  private static let paused = """
    {"number":12,"state":"paused","done":false,"category":"soft","eggs":2,"label":"two soft ones",\
    "expression":"6m30s","kind":"in","span":390000000,"remaining":200000000,"createdAt":1795210470000000}
    """
  private static let thawed = """
    {"number":12,"state":"scheduled","done":false,"category":"soft","eggs":2,"label":"two soft ones",\
    "expression":"6m30s","kind":"in","span":390000000,"due":1795210670000000,"createdAt":1795210470000000}
    """

  private static func reply(_ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":\(parameters)}"])
  }

  private static func changed(_ alarms: String, missing: String = "") -> ScriptedDaemon.Answer {
    reply("{\"alarms\":[\(alarms)],\"missing\":[\(missing)],\"missingIds\":[],\"sequence\":2}")
  }

  @Test("schedule sends end and policy; a date means its last microsecond")
  func schedule() throws {
    let (run, calls) = try Run.eggctl(
      "schedule", "--every", "07:30", "--until", "2026-12-24", "--count", "4", "--ring-within", "10m",
      answers: [Self.reply("{\"alarm\":\(Self.daily),\"existed\":false,\"sequence\":1}")])
    #expect(
      run
        == .said(
          "#15  2026. 11. 21. 07:30:00  in 9 h 55 min 30 s  every day 07:30, 4 times, until 2026. 12. 24.\n"))
    let call = try #require(calls.first)
    for member in [
      "\"kind\":\"every\"", "\"expression\":\"07:30\"", "\"until\":1798156799999999", "\"count\":4",
      "\"ifMissed\":\"ringWithin\"", "\"ringWithin\":600000000",
    ] {
      #expect(call.contains(member), "\(call)")
    }
  }

  @Test("An end with a time of day is that moment")
  func scheduleUntil() throws {
    let (_, calls) = try Run.eggctl(
      "schedule", "daily", "--until", "2026-12-24 18:00", "--if-missed", "record",
      answers: [Self.reply("{\"alarm\":\(Self.daily),\"existed\":false,\"sequence\":1}")])
    let call = try #require(calls.first)
    #expect(call.contains("\"until\":1798135200000000"), "\(call)")
    #expect(call.contains("\"ifMissed\":\"record\""))
    #expect(!call.contains("ringWithin"))
  }

  @Test("An alarm that rings several times a minute is scheduled with a hint")
  func dense() throws {
    let alarm = Self.daily.replacing("*-*-* 07:30:00", with: "*-*-* *:*:*")
    let run = try Run.eggctl(
      "schedule", "*:*:*", answers: [Self.reply("{\"alarm\":\(alarm),\"existed\":false,\"sequence\":1}")]
    ).run
    #expect(run.status == .success)
    #expect(
      run.messages
        == "eggctl: hint: this rings more often than once a minute\neggctl: hint: eggctl undo takes it back\n"
    )
  }

  @Test(
    "Midnight, and a day with its own zone, are exact ends",
    arguments: [
      ("Dec 24 12am", 1_798_070_400_000_000), ("2026-12-24 00:00", 1_798_070_400_000_000),
      ("2026-12-24 midnight", 1_798_070_400_000_000), ("Dec 24", 1_798_156_799_999_999),
      ("2026-12-24 +09:00", 1_798_124_399_999_999), ("2026-12-24 Asia/Seoul", 1_798_124_399_999_999),
    ] as [(String, Int64)])
  func untilMidnight(text: String, until: Int64) throws {
    let (_, calls) = try Run.eggctl(
      "schedule", "daily", "--until", text,
      answers: [Self.reply("{\"alarm\":\(Self.daily),\"existed\":false,\"sequence\":1}")])
    let call = try #require(calls.first)
    #expect(call.contains("\"until\":\(until)"), "\(call)")
  }

  @Test(
    "--from sends the entered moment; a date means its midnight",
    arguments: [
      ("2027-01-04", 1_799_020_800_000_000), ("2027-01-04 07:30", 1_799_047_800_000_000),
      ("2026-11-01", 1_793_491_200_000_000), ("2027-01-04 +01:00", 1_799_017_200_000_000),
    ] as [(String, Int64)])
  func from(text: String, from: Int64) throws {
    let (_, calls) = try Run.eggctl(
      "schedule", "daily", "--from", text,
      answers: [Self.reply("{\"alarm\":\(Self.daily),\"existed\":false,\"sequence\":1}")])
    #expect(try #require(calls.first).contains("\"from\":\(from)"), "\(calls)")
    let edit = try Run.eggctl(
      "edit", "15", "daily", "--from", text, answers: [Self.changed(Self.daily)])
    #expect(try #require(edit.calls.first).contains("\"from\":\(from)"), "\(edit.calls)")
  }

  /// Every two weeks, from the middle of January.
  private static let counted = """
    {"number":16,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1800253800000000,\
    "expression":"every 2 weeks on mon 07:30","kind":"every","zone":"Europe/Paris","floats":true,\
    "createdAt":1795210470000000,"interval":"2w Mon 07:30:00 from 2027-01-18","from":1799971200000000}
    """

  @Test("show gives an interval and its beginning")
  func interval() throws {
    let run = try Run.eggctl(
      "show", "16",
      answers: [Self.reply("{\"alarm\":\(Self.counted),\"occurrences\":[],\"upcoming\":[1800253800000000]}")]
    ).run
    #expect(
      run.output.hasPrefix(
        "#16  2027. 01. 18. 06:30:00  on Monday  in 58 d 8 h 55 min 30 s  every 2 weeks on Mon 07:30 Europe/Paris\n"
      ))
    #expect(
      run.output.contains("every 2w Mon 07:30:00 from 2027-01-18, in this machine's zone\n"))
    #expect(run.output.contains("from"), "\(run.output)")
    #expect(run.output.contains("2027. 01. 15. 00:00:00\n"), "\(run.output)")
    #expect(run.messages == "")
  }

  @Test("An hour that the clock shows twice is mentioned, for intervals too")
  func shownTwice() throws {
    func alarm(_ rule: String) -> String {
      """
      {"number":15,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1824852600000000,\
      "expression":"02:30","kind":"every","zone":"Europe/Paris","floats":false,"createdAt":1795210470000000,\
      "modifiedAt":1795210470000000,\(rule)}
      """
    }
    let hint = """
      eggctl: hint: the clock shows 2027-10-31 02:30:00 twice (Europe/Paris): it rings the first time only

      """
    for (rule, isTold) in [
      ("\"calendarEvent\":\"*-*-* 02:30:00\"", true), ("\"calendarEvent\":\"*-*-* 03:30:00\"", false),
      ("\"interval\":\"1d 02:30:00 from 2027-10-01\"", true),
      ("\"interval\":\"1h from 2027-10-30 22:30:00 UTC\"", false),
    ] {
      let made = Self.reply("{\"alarm\":\(alarm(rule)),\"existed\":false,\"sequence\":1}")
      let schedule = try Run.eggctl("schedule", "--every", "02:30", "--count", "9", answers: [made]).run
      #expect(schedule.messages == (isTold ? hint : ""), "\(rule)")
    }
  }

  /// 02:30 in Paris, next on 2027-03-27, the day before the clock jumps over it.
  private static func paris(_ ends: String) -> String {
    """
    {"number":15,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1806111000000000,\
    "expression":"02:30","kind":"every","zone":"Europe/Paris","floats":false,"createdAt":1795210470000000,\
    "modifiedAt":1795210470000000,"calendarEvent":"*-*-* 02:30:00"\(ends)}
    """
  }

  @Test(
    "A clock jump is mentioned only if it comes before the alarm's end",
    arguments: [
      ("", true), (",\"until\":1806195599999999", false), (",\"until\":1806271200000000", true),
      (",\"count\":1", false), (",\"count\":2", true),
    ])
  func skipped(ends: String, isTold: Bool) throws {
    let hint =
      "eggctl: hint: the clock jumps over 2027-03-28 02:30:00 (Europe/Paris): it does not ring then\n"
    let made = Self.reply("{\"alarm\":\(Self.paris(ends)),\"existed\":false,\"sequence\":1}")
    let schedule = try Run.eggctl("schedule", "--every", "02:30", answers: [made]).run
    #expect(schedule.messages == (isTold ? hint : ""))
    let changed = Self.changed(Self.paris(ends))
    let edit = try Run.eggctl("edit", "15", "--every", "02:30", answers: [changed]).run
    #expect(edit.messages == (isTold ? hint : ""))
    let other = try Run.eggctl("edit", "15", "--eggs", "2", answers: [changed]).run
    #expect(other.messages.isEmpty)
  }

  @Test(
    "Months come with a hint, in edit too: average ones with --in, else calendar ones",
    arguments: [
      (["--in", "1 month"], average), (["+1month"], average), (["1month"], calendar), (["1 month"], calendar),
    ])
  func months(words: [String], hint: String) throws {
    let made = Self.reply("{\"alarm\":\(Self.thawed),\"existed\":false,\"sequence\":1}")
    func messages(_ verb: [String], _ answers: ScriptedDaemon.Answer...) throws -> String {
      let daemon = try ScriptedDaemon(answers)
      defer { daemon.end() }
      return Run.run(verb + words, variables: ["XDG_RUNTIME_DIR": daemon.directory]).messages
    }
    let told = "eggctl: hint: \(hint)\neggctl: hint: eggctl undo takes it back\n"
    #expect(try messages(["schedule"], made) == told)
    #expect(try messages(["schedule", "-q"], made) == "")
    let before = Self.reply("{\"alarm\":\(Self.thawed),\"occurrences\":[]}")
    #expect(try messages(["edit", "12"], before, Self.changed(Self.thawed)) == told)
  }

  private static let average =
    "a month is 30.44 days here and a year 365.25; for calendar months enter 'now + 1 month'"
  private static let calendar =
    "months and years are counted on the calendar: the same day of the month, the same time"

  /// Every hour and 02:30 in Berlin, next on the eve of a clock change.
  @Test(
    "schedule, edit and resolve mention the hour that Berlin's clock jumps over or shows twice",
    arguments: [
      (
        "hourly", "*-*-* *:00:00", 1_824_933_600_000_000, "2027-10-30 23:30",
        "shows 2027-10-31 02:00:00 twice", "it rings the first time only"
      ),
      (
        "*-*-* 02:30", "*-*-* 02:30:00", 1_806_111_000_000_000, "2027-03-26 12:00",
        "jumps over 2027-03-28 02:30:00", "it does not ring then"
      ),
    ] as [(String, String, Int64, String, String, String)])
  func berlin(
    text: String, event: String, due: Int64, base: String, what: String, meaning: String
  ) throws {
    let alarm = """
      {"number":15,"state":"scheduled","done":false,"category":"other","eggs":1,"due":\(due),\
      "expression":"\(text)","kind":"every","zone":"Europe/Berlin","floats":false,\
      "createdAt":1795210470000000,"calendarEvent":"\(event)"}
      """
    let hint = "eggctl: hint: the clock \(what) (Europe/Berlin): \(meaning)\n"
    let made = Self.reply("{\"alarm\":\(alarm),\"existed\":false,\"sequence\":1}")
    #expect(try Run.eggctl("schedule", text, answers: [made]).run.messages == hint)
    #expect(try Run.eggctl("edit", "15", text, answers: [Self.changed(alarm)]).run.messages == hint)
    let resolved = Run.alone("resolve", text, "--base", base, "--zone", "Europe/Berlin", "--count", "1")
    #expect(resolved.output.hasSuffix("\n  The clock of Europe/Berlin \(what): \(meaning).\n"))
    #expect(resolved.messages == "")
  }

  @Test("An alarm that has rung as often as it was to does not say so as 0 times")
  func countedOut() throws {
    let over = """
      {"number":15,"state":"rung","done":false,"category":"other","eggs":1,"expression":"07:30","kind":"every",\
      "zone":"UTC","floats":true,"createdAt":1795210470000000,"calendarEvent":"*-*-* 07:30:00","count":0}
      """
    let run = try Run.eggctl("done", "15", answers: [Self.changed(over)]).run
    #expect(run.output == "#15  rung  every day 07:30\n")
  }

  @Test("show gives the rule, the end and the next rings")
  func show() throws {
    let skipped = """
      {"id":1795210465000000,"dueAt":1795159800000000,"outcome":"skipped","missedCount":3}
      """
    let run = try Run.eggctl(
      "show", "15",
      answers: [
        Self.reply(
          """
          {"alarm":\(Self.daily),"occurrences":[\(skipped)],"upcoming":[1795246200000000,1795332600000000]}
          """)
      ]
    ).run
    #expect(
      run
        == .said(
          """
          #15  2026. 11. 21. 07:30:00  in 9 h 55 min 30 s  every day 07:30, 4 times, until 2026. 12. 24.
          state      scheduled
          entered    07:30
          kind       every *-*-* 07:30:00, in this machine's zone
          eggs       1
          until      2026. 12. 24. 23:59:59
          count      4 more
          if missed  rings if at most 10 min late
          next       2026. 11. 21. 07:30:00
          next       2026. 11. 22. 07:30:00
          created    2026. 11. 20. 21:34:30
          skipped    2026. 11. 20. 07:30:00, for 3 times

          """))
  }

  @Test("pause shows the time left, resume the next ring; both name missing alarms")
  func pause() throws {
    let pause = try Run.eggctl("pause", "12", answers: [Self.changed(Self.paused)])
    #expect(pause.run == .said("#12  paused, 3 min 20 s left   two soft ones\n"))
    #expect(pause.calls.first?.contains("\"method\":\"io.eggd.Schedule.Pause\"") == true)
    let resume = try Run.eggctl("resume", "12", "99", answers: [Self.changed(Self.thawed, missing: "99")])
    #expect(resume.run.status == .refused)
    #expect(resume.run.output == "#12  2026. 11. 20. 21:37:50  in 3 min 20 s   two soft ones\n")
    #expect(resume.run.messages == "eggctl: error: there is no alarm 99\neggctl: hint: eggctl list\n")
    #expect(resume.calls.first?.contains("\"numbers\":[12,99]") == true)
  }

  @Test("--all says so if no alarm can change")
  func none() throws {
    let count = ScriptedDaemon.Answer.messages([
      "{\"parameters\":{\"alarms\":[],\"totals\":{\"alarms\":3,\"eggs\":3}}}"
    ])
    let answers = [count, Self.changed("")]
    #expect(try Run.eggctl("pause", "--all", answers: answers).run == .said("no alarm can be paused\n"))
    #expect(try Run.eggctl("resume", "--all", answers: answers).run == .said("no alarm is paused\n"))
    #expect(try Run.eggctl("skip", "--all", answers: answers).run == .said("no alarm is waiting\n"))
    let extend = try Run.eggctl("extend", "--all", "1h", answers: answers)
    #expect(extend.run == .said("no alarm can be extended\n"))
    #expect(extend.calls.last?.contains("\"all\":true") == true)
  }

  @Test("snooze until a day says when that is, and what takes it back")
  func snoozeUntilDay() throws {
    let run = try Run.eggctl("snooze", "15", "tomorrow", answers: [Self.changed(Self.daily)]).run
    #expect(run.status == .success)
    #expect(
      run.messages == """
        eggctl: hint: no time of day was entered: 09:00 is day-at of config.toml
        eggctl: hint: eggctl undo takes it back

        """)
    #expect(try Run.eggctl("snooze", "15", "10m", answers: [Self.changed(Self.daily)]).run.messages.isEmpty)
  }

  @Test("skip shows the ring after; --json prints the wire's reply, -q the number")
  func skip() throws {
    let answer = Self.changed(Self.daily)
    let (run, calls) = try Run.eggctl("skip", "15", answers: [answer])
    #expect(
      run
        == .said(
          "#15  2026. 11. 21. 07:30:00  in 9 h 55 min 30 s  every day 07:30, 4 times, until 2026. 12. 24.\n"))
    #expect(calls.first?.contains("\"method\":\"io.eggd.Schedule.Skip\"") == true)
    #expect(try Run.eggctl("skip", "15", "-q", answers: [answer]).run == .said("15\n"))
    let json = try Run.eggctl("skip", "15", "--json", answers: [answer]).run
    #expect(
      json.output.hasPrefix("{\"alarms\":[{\"calendarEvent\":\"*-*-* 07:30:00\",\"category\":\"other\","))
    #expect(json.output.hasSuffix("\"missing\":[],\"missingIds\":[],\"sequence\":2}\n"))
  }

  @Test(
    "extend takes alarms, then a span with an optional sign",
    arguments: [
      (["extend", "12", "2m"], "\"span\":120000000"), (["extend", "12", "+2m"], "\"span\":120000000"),
      (["extend", "12", "-30s"], "\"span\":-30000000"),
      (["extend", "12", "--", "-30s"], "\"span\":-30000000"),
      (["extend", "12", "1h", "5m"], "\"span\":3900000000"),
      (["extend", "12", "-1h", "5m"], "\"span\":-3900000000"),
    ])
  func extend(words: [String], span: String) throws {
    let daemon = try ScriptedDaemon([Self.changed(Self.thawed)])
    defer { daemon.end() }
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    #expect(run == .said("#12  2026. 11. 20. 21:37:50  in 3 min 20 s   two soft ones\n"))
    #expect(daemon.calls.first?.contains(span) == true, "\(daemon.calls)")
    #expect(daemon.calls.first?.contains("\"numbers\":[12]") == true)
  }

  @Test(
    "A wrong state exits with 1 and says which state is needed",
    arguments: [
      (["pause", "13"], "only waiting countdowns and recurring alarms can be paused"),
      (["resume", "13"], "only paused alarms can be resumed"), (["skip", "13"], "it has no next ring"),
      (
        ["extend", "13", "1m"], "recurring or finished alarms cannot be extended; use edit"
      ),
    ])
  func wrongState(words: [String], message: String) throws {
    let refused = ScriptedDaemon.Answer.messages([
      "{\"error\":\"io.eggd.Schedule.WrongState\",\"parameters\":{\"number\":13,\"state\":\"scheduled\"}}"
    ])
    let daemon = try ScriptedDaemon([refused])
    defer { daemon.end() }
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    #expect(run.status == .refused)
    #expect(run.output == "")
    #expect(run.messages.contains(message), "\(run.messages)")
  }

  @Test("A ringing alarm cannot be extended, but snoozed")
  func extendRinging() throws {
    let refused = ScriptedDaemon.Answer.messages([
      "{\"error\":\"io.eggd.Schedule.WrongState\",\"parameters\":{\"number\":13,\"state\":\"ringing\"}}"
    ])
    #expect(
      try Run.eggctl("extend", "13", "10", "minutes", answers: [refused]).run
        == .failed(
          .refused,
          """
          eggctl: error: alarm 13 is ringing, and only what waits can be extended
          eggctl: hint: eggctl snooze 13 10min

          """))
    #expect(
      try Run.eggctl("extend", "13", "0s", answers: [refused]).run.messages.hasSuffix(
        "\neggctl: hint: eggctl snooze 13\n"))
  }

  @Test(
    "Contradictory options exit with 64 and one line, before any call",
    arguments: [
      (
        ["schedule", "1h", "--count", "2"],
        "--from, --until and --count are for recurring alarms, and '1h' rings once",
        "eggctl schedule \"every 1h\" --count 2"
      ),
      (
        ["schedule", "6m", "--until", "2026-12-24"],
        "--from, --until and --count are for recurring alarms, and '6m' rings once",
        "eggctl schedule \"every 6m\" --until 2026-12-24"
      ),
      (
        ["schedule", "friday", "--count", "2"],
        "--from, --until and --count are for recurring alarms, and 'friday' rings once",
        "eggctl schedule \"every friday\" --count 2"
      ),
      (
        ["schedule", "noon", "--count", "2"],
        "--from, --until and --count are for recurring alarms, and 'noon' rings once",
        "eggctl schedule \"every noon\" --count 2"
      ),
      (
        ["schedule", "tomorrow", "--from", "2027-01-04"],
        "--from, --until and --count are for recurring alarms, and 'tomorrow' rings once",
        "recurring times: 'every monday 9:00', 'every 20m', daily, Mon..Fri 07:30; more: eggctl help times"
      ),
      (
        ["schedule", "daily", "--from", "2027-01-04", "--until", "2027-01-02"],
        "--until is before --from", nil
      ),
      (["edit", "12", "--from", "2027-01-04", "--until", "2027-01-02"], "--until is before --from", nil),
      (["schedule", "daily", "--count", "0"], "--count must be at least 1", nil),
      (["schedule", "daily", "--count", "-1"], "--count must be at least 1", nil),
      (
        ["schedule", "daily", "--if-missed", "cry"], "'cry' is neither ring nor record",
        "--if-missed record"
      ),
      (
        ["schedule", "daily", "--if-missed", "ring-within", "10m"],
        "'ring-within' is neither ring nor record", "--ring-within 10m"
      ),
      (
        ["schedule", "daily", "--ring-within", "0s"], "--ring-within needs a span longer than zero",
        "--ring-within 10m"
      ),
      (
        ["schedule", "daily", "--if-missed", "ring", "--ring-within", "5m"],
        "--if-missed and --ring-within exclude each other", nil
      ),
      (["edit", "12", "--count", "0"], "--count must be at least 1", nil),
      (["pause"], "which alarm?", "eggctl pause NUMBER, as eggctl list shows it"),
      (["resume", "0"], "'0' is not an alarm number: numbers begin at 1", nil),
      (["skip", "--all", "3"], "--all and named alarms exclude each other", nil),
      (["extend", "12"], "by how much?", "eggctl extend 12 5m"),
      (["extend", "12", "2m", "--later"], "unknown option '--later'", "eggctl help extend"),
    ] as [([String], String, String?)])
  func notUnderstood(_ words: [String], _ message: String, _ hint: String?) {
    let hint = hint ?? "eggctl help \(words[0])"
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
    #expect(run == .failed(.usage, "eggctl: error: \(message)\neggctl: hint: \(hint)\n"))
  }

  @Test("One that is paused has no moment, unless it rings, too; that is said")
  func ringsPaused() throws {
    let latest =
      "\"latest\":{\"id\":1,\"dueAt\":1795210200000000,\"outcome\":\"rung\",\"firedAt\":1795210200000000}"
    func alarm(_ state: String, _ more: String = "") -> String {
      """
      {"number":15,"state":"\(state)","done":false,"category":"other","eggs":1,"kind":"every",\(latest)\(more)}
      """
    }
    let paused = try Run.eggctl("pause", "15", answers: [Self.changed(alarm("paused"))])
    #expect(paused.run == .said("#15  paused\n"))
    let ringing = try Run.eggctl("pause", "15", answers: [Self.changed(alarm("ringing", ",\"paused\":true"))])
    #expect(ringing.run == .said("#15  2026. 11. 20. 21:30:00  ringing, paused\n"))
    let again = try Run.eggctl(
      "pause", "15",
      answers: [
        .messages([
          """
          {"error":"io.eggd.Schedule.WrongState","parameters":{"number":15,"state":"paused"}}
          """
        ])
      ])
    #expect(
      again.run
        == .failed(
          .refused, "eggctl: error: alarm 15 is already paused\neggctl: hint: eggctl resume 15\n"))
    let list = try Run.eggctl(
      "list",
      answers: [
        Self.reply(
          "{\"alarms\":[\(alarm("ringing", ",\"paused\":true"))],\"totals\":{\"alarms\":1,\"eggs\":1}}")
      ])
    #expect(list.run.output.hasSuffix("   1  ↻ · paused\n"), "\(list.run)")
  }

  @Test(
    "An end before the first ring is refused before any call",
    arguments: ["2026-11-20 23:59", "2026-11-21 07:29"])
  func untilTooSoon(until: String) {
    #expect(
      Run.alone("schedule", "--every", "07:30", "--until", until)
        == .failed(
          .usage,
          "eggctl: error: '07:30' does not ring before --until\neggctl: hint: eggctl help schedule\n"))
  }
}
