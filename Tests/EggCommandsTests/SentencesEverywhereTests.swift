import EggProtocol
import EggTime
import Testing

@testable import EggCommands

/// Spans, moments and recurring times in words, wherever a command takes one. It is Friday, 2026-11-20 21:34:30 UTC.
@Suite("Sentences everywhere") struct SentencesEverywhereTests {
  private static func alarm(_ members: String) -> String {
    """
    {"number":12,"state":"scheduled","done":false,"category":"other","eggs":1,"createdAt":1795210470000000,\
    "modifiedAt":1795210470000000,\(members)}
    """
  }
  private static let tomorrow = alarm(
    "\"due\":1795251600000000,\"kind\":\"at\",\"civil\":\"2026-11-21 09:00:00\",\"zone\":\"UTC\",\"floats\":true"
  )
  private static let daily = alarm(
    "\"due\":1795246200000000,\"kind\":\"every\",\"calendarEvent\":\"*-*-* 07:30:00\",\"zone\":\"UTC\"")

  private static func made(_ alarm: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":{\"alarm\":\(alarm),\"existed\":false,\"sequence\":1}}"])
  }
  private static func changed(_ alarm: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":{\"alarms\":[\(alarm)],\"missing\":[],\"missingIds\":[],\"sequence\":2}}"])
  }

  private static func run(_ words: [String], _ answer: ScriptedDaemon.Answer) throws -> (Run, String) {
    let daemon = try ScriptedDaemon([answer])
    defer { daemon.end() }
    return (Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory]), daemon.calls.first ?? "")
  }

  @Test(
    "snooze and extend take spans in words, and the number that such a span needs",
    arguments: [
      (["snooze", "12", "10분"], 600), (["snooze", "12", "ten", "minutes"], 600),
      (["snooze", "12", "10", "minutes"], 600),
      (["snooze", "12", "half an hour"], 1_800), (["extend", "12", "반시간"], 1_800),
      (["extend", "12", "an", "hour"], 3_600), (["extend", "12", "-30 minutes"], -1_800),
      (["extend", "12", "90", "min"], 5_400), (["snooze", "12", "90s"], 90),
    ] as [([String], Int64)])
  func spans(words: [String], seconds: Int64) throws {
    let (run, call) = try Self.run(words, Self.changed(Self.tomorrow))
    #expect(run.status == .success, "\(run)")
    #expect(call.contains("\"span\":\(seconds * 1_000_000)"), "\(call)")
    #expect(call.contains("\"numbers\":[12]"), "\(call)")
  }

  @Test(
    "snooze takes a moment too",
    arguments: [
      (["snooze", "12", "until", "tomorrow", "9am"], "tomorrow 9am"),
      (["snooze", "12", "till", "9am"], "9am"),
      (["snooze", "12", "until tomorrow 9am"], "tomorrow 9am"), (["snooze", "12", "07:30"], "07:30"),
      (["snooze", "12", "Until", "friday"], "friday"), (["snooze", "12", "내일", "9시까지"], "내일 9시까지"),
    ])
  func moments(words: [String], text: String) throws {
    let (run, call) = try Self.run(words, Self.changed(Self.tomorrow))
    #expect(run.status == .success, "\(run)")
    #expect(call.contains("\"until\":\"\(text)\""), "\(call)")
    #expect(call.contains("\"zone\":\""), "\(call)")
    #expect(call.contains("\"numbers\":[12]"), "\(call)")
  }

  @Test(
    "Options take what makes sense there in words",
    arguments: [
      (["--until", "next friday"], "\"until\":1795823999999999"),
      (["--until", "다음 주 금요일"], "\"until\":1795823999999999"),
      (["--until", "friday 9am"], "\"until\":1795770000000000"),
      (["--until", "in 2 weeks"], "\"until\":1796420070000000"),
      (["--until", "2026-11-27 Asia/Seoul"], "\"until\":1795791599999999"),
      (["--from", "tomorrow"], "\"from\":1795219200000000"),
      (["--from", "내일 아침 7시"], "\"from\":1795244400000000"), (["--insist", "2분"], "\"insist\":120000000"),
      (["--insist", "two minutes"], "\"insist\":120000000"),
      (["--ring-within", "half an hour"], "\"ringWithin\":1800000000"),
    ])
  func options(words: [String], field: String) throws {
    let (run, call) = try Self.run(["schedule", "daily"] + words, Self.made(Self.daily))
    #expect(run.status == .success, "\(run)")
    #expect(call.contains(field), "\(call)")
  }

  @Test(
    "--in, --at and --every read sentences of their kind",
    arguments: [
      (["--in", "half an hour"], "timespan  30min\n"), (["--in", "반시간"], "timespan  30min\n"),
      (["--at", "내일 아침 7시"], "timestamp  2026-11-21 07:00:00\n"),
      (["--at", "friday"], "timestamp  2026-11-27 00:00:00\n"),
      (["--every", "weekdays at 7am"], "calendar  Mon..Fri *-*-* 07:00:00\n"),
      (["--every", "monday 9am"], "calendar  Mon *-*-* 09:00:00\n"),
      (["--every", "매주 화요일 오후 9시"], "calendar  Tue *-*-* 21:00:00\n"),
    ])
  func kinds(words: [String], first: String) {
    let run = Run.run(["resolve"] + words, variables: [:])
    #expect(run.output.hasPrefix(first), "\(run)")
    #expect(!run.output.contains("day-at"), "\(run)")
  }

  @Test(
    "A time of another kind is refused with the kind that is wanted",
    arguments: [
      (
        ["schedule", "--in", "07:30"], "07:30", "a span is wanted, such as 10m or half an hour",
        "eggctl schedule 07:30"
      ),
      (
        ["schedule", "--at", "매일 7시 반", "--label", "tea"], "매일 7시 반",
        "a moment is wanted, such as tomorrow 07:30", "eggctl schedule 매일 7시 반 --label tea"
      ),
      (
        ["extend", "12", "내일 7시"], "내일 7시", "a span is wanted, such as 10m or half an hour",
        "eggctl edit 12 \"내일 7시\""
      ),
      (
        ["wait", "12", "--timeout", "friday"], "friday", "a span is wanted, such as 10m or half an hour", nil
      ),
      (
        ["schedule", "daily", "--until", "2 weeks"], "2 weeks",
        "a moment is wanted, such as tomorrow 07:30", "eggctl schedule daily --until +2w"
      ),
      (
        ["schedule", "--at", "5min"], "5min", "a moment is wanted, such as tomorrow 07:30",
        "eggctl schedule +5min --at"
      ),
      (
        ["schedule", "daily", "--from", "mondays"], "mondays", "a moment is wanted, such as tomorrow 07:30",
        nil
      ),
      (
        ["schedule", "--every", "tomorrow 9am"], "tomorrow 9am",
        "a recurring time is wanted, such as every monday 9:00", "eggctl schedule tomorrow 9am"
      ),
    ] as [([String], String, String, String?)])
  func otherKind(words: [String], text: String, reason: String, hint: String?) {
    let hint = "eggctl: hint: \(hint ?? "eggctl help \(words[0])")\n"
    #expect(
      Run.run(words, variables: [:])
        == .failed(
          .usage, "eggctl: error: cannot read '\(text)' as a time: \(reason)\n  \(text)\n  ^\n" + hint))
  }

  @Test(
    "Options refuse a date that may be two, with both",
    arguments: [
      ["daysoff", "add", "02/03/2027", "--name", "z"],
      ["daysoff", "add", "2027-01-01", "--until", "02/03/2027", "--name", "z"],
      ["schedule", "daily", "9:00", "--from", "02/03/2027"],
      ["schedule", "daily", "9:00", "--until", "02/03/2027"],
      ["edit", "12", "daily", "--from", "02/03/2027"], ["edit", "12", "--until=02/03/2027"],
      ["skip", "12", "--until", "02/03/2027"],
      ["skip", "12", "--from", "02/03/2027", "--until", "2027-04-01"],
      ["pause", "12", "--until", "02/03/2027"], ["resolve", "daily", "--from", "02/03/2027"],
      ["resolve", "daily", "--base", "02/03/2027"], ["log", "--since", "02/03/2027"],
    ])
  func twoDates(words: [String]) {
    func command(_ date: String) -> String {
      words.reduce("eggctl") { $0 + " " + $1.replacing("02/03/2027", with: date) }
    }
    #expect(
      Run.run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
        == .failed(
          .usage,
          """
          eggctl: error: cannot read '02/03/2027' as a time: which is the day, which the month, the year?
            02/03/2027
            ^
          eggctl: hint: \(command("2027-02-03")), or \(command("2027-03-02"))

          """))
  }

  @Test("anniversary refuses a date that may be two; one that cannot is taken")
  func twoBirths() {
    #expect(
      Run.alone("anniversary", "Mina", "02/03/2000")
        == .failed(
          .usage,
          """
          eggctl: error: cannot read '02/03/2000' as a date: which is the day, which the month, the year?
            02/03/2000
            ^
          eggctl: hint: eggctl anniversary Mina 2000-02-03, or eggctl anniversary Mina 2000-03-02

          """))
    #expect(Run.alone("anniversary", "Mina", "02/13/2000") == .unreachable)
  }

  @Test(
    "What is no day is refused with days",
    arguments: [
      (["daysoff", "add", "6m30s", "--name", "x"], "'6m30s' is not a day\n"),
      (["skip", "12", "--until", "6m30s"], "'6m30s' is not a day\n"),
      (["daysoff", "add", "tomorrow 9:00", "--name", "x"], "'tomorrow 9:00' is not a day\n"),
      (
        ["daysoff", "add", "foo", "--name", "x"], "cannot read 'foo' as a time: "
      ),
    ])
  func noDay(words: [String], message: String) {
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
    #expect(run.status == .usage)
    #expect(run.messages.hasPrefix("eggctl: error: \(message)"), "\(run)")
    #expect(
      run.messages.hasSuffix("\neggctl: hint: enter a day: monday, 'dec 24', 2027-01-02\n"), "\(run)")
  }

  @Test("A day without a time of day rings at day-at, and the reply says so and how to take it back")
  func dayAt() throws {
    let (run, _) = try Self.run(["schedule", "tomorrow"], Self.made(Self.tomorrow))
    #expect(
      run
        == Run(
          status: .success, output: "#12  2026. 11. 21. 09:00:00  in 11 h 25 min 30 s\n",
          messages: """
            eggctl: hint: no time of day was entered: 09:00 is day-at of config.toml
            eggctl: hint: eggctl undo takes it back

            """))
    // It rings before that moment first.
    let early = Self.tomorrow.replacing("}", with: ",\"leads\":[\"0s\",\"1h\"]}")
    let (led, _) = try Self.run(["schedule", "tomorrow", "--before", "1h"], Self.made(early))
    #expect(led.messages == run.messages)
    let (forced, _) = try Self.run(["schedule", "--at", "tomorrow"], Self.made(Self.tomorrow))
    #expect(forced.messages == "")
  }

  @Test(
    "A snooze until a moment more than 366 days ahead is refused as a span is",
    arguments: [["snooze", "12", "until", "2030-01-01"], ["snooze", "12", "400d"]])
  func snoozeTooLong(words: [String]) {
    #expect(
      Run.run(words, variables: [:])
        == .failed(
          .usage,
          "eggctl: error: a snooze must last between 1 second and 366 days\neggctl: hint: eggctl help snooze\n"
        ))
  }

  @Test("An hour to snooze until is the morning's or the evening's")
  func untilHour() {
    let run = Run.run(["snooze", "12", "until", "7"], variables: [:])
    #expect(
      run.messages.hasSuffix(
        "eggctl: hint: eggctl snooze 12 until \"at 07:00\", or eggctl snooze 12 until \"at 19:00\"\n"),
      "\(run)")
  }

  @Test(
    "A part of the day that recurs rings at its usual time, and the reply says so and how to take it back")
  func usualTime() throws {
    let (run, _) = try Self.run(["schedule", "every", "morning"], Self.made(Self.daily))
    #expect(
      run.messages == """
        eggctl: hint: no time of day was entered: 08:00 was taken
        eggctl: hint: eggctl undo takes it back

        """)
  }

  @Test("resolve asks for day-at when it reads a day alone")
  func resolve() {
    func run(_ words: [String], dayAt: TimeOfDay) -> Run {
      var asked = 0
      let dates = DateStyle(.dotted) {
        asked += 1
        let setting = WireSetting(
          key: "day-at", value: "\(dayAt.hour):\(dayAt.minute)", source: .file, line: 1)
        return ConfigReply(file: nil, settings: [setting], mistake: nil)
      }
      let run = Run.run(["resolve"] + words, variables: [:], dates: dates)
      #expect(asked == (words.last == "9:00" || words.first == "--at" ? 0 : 1))
      return run
    }
    #expect(
      run(["tomorrow"], dayAt: TimeOfDay(hour: 8, minute: 15))
        == .said(
          """
          timestamp  2026-11-21 08:15:00
            2026. 11. 21. 08:15:00   2026-11-21 08:15:00 UTC   in 10 h 40 min 30 s
            No time of day was entered: 08:15 is day-at of config.toml.

          """))
    #expect(
      run(["8h", "before", "1", "jan"], dayAt: TimeOfDay(hour: 8, minute: 15)).output.hasSuffix(
        "\n  No time of day was entered: 08:15 is day-at of config.toml.\n"))
    #expect(run(["tomorrow", "9:00"], dayAt: .usual).output.hasPrefix("timestamp  2026-11-21 09:00:00\n"))
    #expect(run(["--at", "tomorrow"], dayAt: .usual).output.hasPrefix("timestamp  2026-11-21 00:00:00\n"))
  }
}
