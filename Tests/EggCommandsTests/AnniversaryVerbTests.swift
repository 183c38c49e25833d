import EggTime
import Testing

@testable import EggCommands

/// `anniversary` with a scripted daemon. It is 2026-11-20 21:34:30 UTC.
@Suite struct AnniversaryVerbTests {
  /// The answers for new alarms: the settings, the machine's zone, the staging, the commit, each alarm.
  private static func replies(
    to alarms: [(due: Int64, label: String)], zone: String = "UTC", settings: String = ""
  ) -> [ScriptedDaemon.Answer] {
    let config = "{\"settings\":[\(settings)]}"
    let status = """
      {"version":"0.1.0","pid":42,"startedAt":0,"now":0,"sequence":7,"totals":{"alarms":0,"eggs":0},\
      "desktop":"shown","journal":true,"disk":"writable","database":"/d","zone":"\(zone)","connections":1}
      """
    let made = alarms.enumerated().map { index, alarm in
      """
      {"alarm":{"number":\(15 + index),"state":"scheduled","done":false,"category":"other","eggs":1,\
      "due":\(alarm.due),"label":"\(alarm.label)","kind":"at","createdAt":1795210470000000},"occurrences":[]}
      """
    }
    let staged = ["{\"staged\":\(alarms.count),\"refused\":[]}"]
    let commit = ["{\"count\":\(alarms.count),\"existed\":0,\"missed\":0,\"sequence\":8}"]
    return ([config, status] + staged + commit + made).map { .messages(["{\"parameters\":\($0)}"]) }
  }

  private static let old = [(due: Int64(1_803_546_000_000_000), label: "x")]

  @Test(
    "A child gets three alarms in one change: the 100th day, the first birthday, each later birthday")
  func child() throws {
    let (run, calls) = try Run.eggctl(
      "anniversary", "지우", "2026-11-19",
      answers: Self.replies(to: [
        (1_803_632_400_000_000, "지우 100th day"), (1_826_614_800_000_000, "지우 first birthday"),
        (1_858_237_200_000_000, "지우 birthday"),
      ]))
    #expect(
      run
        == .said(
          """
          #15  2027. 02. 26. 09:00:00  on Friday  in 97 d 11 h 25 min 30 s   지우 100th day
          #16  2027. 11. 19. 09:00:00  on Friday  in 363 d 11 h 25 min 30 s   지우 first birthday
          #17  2028. 11. 19. 09:00:00  on Sunday  in 729 d 11 h 25 min 30 s   지우 birthday

          """))
    #expect(calls.count == 7)
    let staged = try #require(calls.dropFirst(2).first).split(separator: "\"alarm\":").dropFirst()
    let expected = [
      [
        "\"civil\":\"2027-02-26 09:00:00\"", "\"kind\":\"at\"", "\"label\":\"지우 100th day\"",
        "\"body\":\"It is the 100th day!\"",
      ],
      [
        "\"civil\":\"2027-11-19 09:00:00\"", "\"kind\":\"at\"", "\"label\":\"지우 first birthday\"",
        "\"body\":\"It is the first birthday!\"",
      ],
      [
        "\"calendarEvent\":\"2028..2199-11-19 09:00:00\"", "\"kind\":\"every\"", "\"label\":\"지우 birthday\"",
        "\"body\":\"It is the birthday!\"",
      ],
    ]
    #expect(staged.count == expected.count)
    for (alarm, members) in zip(staged, expected) {
      let all = ["\"anniversary\":\"2026-11-19\"", "\"floats\":true", "\"zone\":\"UTC\"", "\"number\":0"]
      for member in members + all { #expect(alarm.contains(member)) }
    }
    let methods = calls.map { String($0.split(separator: "\"")[3]) }
    #expect(
      methods
        == ["Config", "Status", "ImportAlarms", "CommitImport", "Show", "Show", "Show"].map {
          "io.eggd.Schedule.\($0)"
        }
    )
  }

  @Test(
    "A date of birth is read in the words of both languages, with and without --lunar",
    arguments: [
      "1946년 5월 5일", "1946. 5. 5.", "1946-05-05", "19460505", "5 May 1946", "May 5 1946", "1946년5월5일",
    ], [[], ["--lunar"]])
  func dates(text: String, options: [String]) {
    let words = ["anniversary", "Halmoni"] + text.split(separator: " ").map(String.init) + options
    #expect(Run.run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"]) == .unreachable)
  }

  @Test("음력 and 윤 in the date say that it is lunar, of a leap month")
  func lunarWords() {
    #expect(Run.alone("anniversary", "Halmoni", "음력", "1946년", "5월", "5일") == .unreachable)
    #expect(Run.alone("anniversary", "Halmoni", "양력 1946년 5월 31일") == .unreachable)
    #expect(
      Run.alone("anniversary", "Halmoni", "음력 1946년 윤5월 5일").messages
        == "eggctl: error: the lunar year 1946 has no leap month 5\neggctl: hint: eggctl help anniversary\n")
    #expect(Run.alone("anniversary", "Jun", "2017년 음력 윤5월 10일") == .unreachable)
  }

  @Test(
    "A birthday on 29 February is on the 28th in common years, or with --leap-day march-1 on 1 March in a second alarm"
  )
  func leapDay() throws {
    let february = try Run.eggctl(
      "anniversary", "소라", "2024-02-29", "-q", answers: Self.replies(to: Self.old))
    #expect(february.run == .said("15\n"))
    #expect(february.calls[2].contains("\"calendarEvent\":\"*-02~01 09:00:00\""))
    let march = try Run.eggctl(
      "anniversary", "소라", "2024-02-29", "--leap-day", "march-1", "--at", "7am", "-q",
      answers: Self.replies(to: Self.old + Self.old))
    #expect(march.run == .said("15\n16\n"))
    #expect(march.calls[2].contains("\"calendarEvent\":\"2028/4-02-29 07:00:00\""))
    #expect(march.calls[2].contains("\"calendarEvent\":\"2026/4,2027/4,2029/4,2100-03-01 07:00:00\""))
  }

  @Test("Alarms follow the caller's zone even if eggd's machine is in another")
  func otherZone() throws {
    let (run, calls) = try Run.eggctl(
      "anniversary", "Mina", "1946-05-05", "-q", answers: Self.replies(to: Self.old, zone: "Asia/Seoul"))
    #expect(run == .said("15\n"))
    #expect(calls[2].contains("\"zone\":\"UTC\"") && calls[2].contains("\"floats\":false"))
  }

  @Test("What is not said is as config.toml has it for new alarms")
  func settings() throws {
    let settings = [
      ("insist", "2min"), ("wake", "true"), ("category", "soft"), ("group", "가족"), ("if-missed", "record"),
      ("day-at", "07:30"),
    ].map { #"{"key":"\#($0)","value":"\#($1)","source":"file","line":1}"# }.joined(separator: ",")
    func answers(_ groups: String) -> [ScriptedDaemon.Answer] {
      let replies = Self.replies(to: Self.old, settings: settings)
      return [replies[0], replies[1], .messages(["{\"parameters\":{\"groups\":[\(groups)]}}"])]
        + replies[2...]
    }
    let known = answers(#"{"name":"가족","alarms":0,"done":0,"eggs":0}"#)
    let usual = try Run.eggctl("anniversary", "Mina", "1946-05-05", "-q", answers: known).calls[3]
    for member in [
      #""insist":120000000"#, #""wake":true"#, #""category":"soft""#, #""group":"가족""#,
      #""ifMissed":"record""#, "*-05-05 07:30:00",
    ] { #expect(usual.contains(member), "\(usual)") }
    let said = try Run.eggctl(
      "anniversary", "Mina", "1946-05-05", "--insist=off", "--no-wake", "--sound", "none", "--at", "8:00",
      answers: known
    ).calls[3]
    for member in [#""sound":"none""#, "*-05-05 08:00:00"] { #expect(said.contains(member), "\(said)") }
    for member in ["\"insist", "\"wake"] { #expect(!said.contains(member), "\(said)") }
    // A group that nobody has is not made.
    let without = try Run.eggctl("anniversary", "Mina", "1946-05-05", "-q", answers: answers("")).calls[3]
    #expect(without.contains("Mina birthday") && !without.contains("가족"))
  }

  @Test("An unknown group is refused before anything is created")
  func group() throws {
    let known = ScriptedDaemon.Answer.messages([
      "{\"parameters\":{\"groups\":[{\"name\":\"가족\",\"alarms\":0,\"done\":0,\"eggs\":0}]}}"
    ])
    let words = ["Mina", "1946-05-05", "--group", "가족"]
    let replies = Self.replies(to: Self.old)
    let (run, calls) = try Run.eggctl(
      "anniversary", words[0], words[1], words[2], words[3], "-q",
      answers: [replies[0], replies[1], known] + replies[2...])
    #expect(run == .said("15\n"))
    #expect(calls[3].contains("\"group\":\"가족\""))
    let unknown = ScriptedDaemon.Answer.messages([
      "{\"error\":\"io.eggd.Schedule.NoSuchGroup\",\"parameters\":{\"name\":\"가족\"}}"
    ])
    let refused = try Run.eggctl(
      "anniversary", words[0], words[1], words[2], words[3], answers: [replies[0], replies[1], unknown])
    #expect(
      refused.run
        == .failed(
          .refused,
          """
          eggctl: error: there is no group '가족'
          eggctl: hint: eggctl group lists them; eggctl group create \"가족\" creates it

          """))
    #expect(refused.calls.count == 3)
  }

  @Test("A value that eggd refuses is named, and nothing is created")
  func notTaken() throws {
    var answers = Self.replies(to: Self.old)
    answers[2] = .messages(["{\"parameters\":{\"staged\":0,\"refused\":[{\"index\":0,\"field\":\"zone\"}]}}"])
    let (run, calls) = try Run.eggctl("anniversary", "Mina", "1946-05-05", answers: answers)
    #expect(
      run
        == .failed(
          .usage,
          "eggctl: error: eggd does not accept the value of 'zone'\neggctl: hint: eggctl help anniversary\n"))
    #expect(calls.count == 3)
  }

  @Test("--json prints one document with the new alarms")
  func json() throws {
    let answers = Self.replies(to: [(1_803_546_000_000_000, "Mina birthday")])
    #expect(
      try Run.eggctl("anniversary", "Mina", "5 May 1946", "--json", answers: answers).run
        == .said(
          """
          {"alarms":[{"category":"other","createdAt":1795210470000000,"done":false,"due":1803546000000000,"eggs":1,\
          "kind":"at","label":"Mina birthday","number":15,"state":"scheduled"}],"sequence":8}

          """))
  }

  @Test(
    "Invalid names and dates are refused before any call",
    arguments: [
      (["Mina", "2026-11-21"], "'2026-11-21' is in the future; enter the day of birth", nil, example),
      (["Mina", "tomorrow"], "'tomorrow' is in the future; enter the day of birth", nil, example),
      (["Mina", "1899-12-31"], "'1899-12-31' is before 1900", nil, nil),
      (["Mina", "5 May"], "'5 May' is not a date with a year", nil, example),
      (["Mina", "2024-02-29 09:00"], "'2024-02-29 09:00' is not a date with a year", nil, example),
      (
        ["Mina", "2023-02-29"], "cannot read '2023-02-29' as a date: no such date",
        "  2023-02-29\n          ^\n", example
      ),
      (
        ["2024-02-29", "미나"], "cannot read '미나' as a date: not understood from here", "  미나\n  ^\n",
        example
      ),
      (
        ["Mina", "2024-02-29", "--at", "25:00"], "cannot read '25:00' as a time of day: no such time of day",
        "  25:00\n  ^\n", "--at 09:00"
      ),
      (
        ["Mina", "2024-02-29", "--at", "09:00 UTC"], "'09:00 UTC' is not a time of day", nil, "--at 09:00"
      ),
      ([" ", "2024-02-29"], "an anniversary needs a name", nil, example),
      (["Mi\tna", "2024-02-29"], "the name contains control characters", nil, nil),
      (
        ["가나다라마바사아자차카타파하가나다라마바사아자차카타파하", "2024-02-29"],
        "the name has 28 characters; the limit is 21", nil, "the label is the name followed by ' birthday'"
      ),
    ] as [([String], String, String?, String?)])
  func refused(_ words: [String], _ message: String, _ excerpt: String?, _ hint: String?) {
    let hint = "eggctl: hint: \(hint ?? "eggctl help anniversary")\n"
    let run = Run.run(["anniversary"] + words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
    #expect(run == .failed(.usage, "eggctl: error: \(message)\n\(excerpt ?? "")\(hint)"))
  }

  private static let example = "eggctl anniversary Mina 2024-02-29"

  @Test("A name may have 21 characters beside birthday, counted as grapheme clusters")
  func longestName() throws {
    let name = String(repeating: "👩‍👩‍👧", count: 21)
    let (run, calls) = try Run.eggctl(
      "anniversary", name, "1946-05-05", "-q", answers: Self.replies(to: Self.old))
    #expect(run == .said("15\n"))
    #expect(calls[2].contains("\"label\":\"\(name) birthday\""))
  }

  private static func show(_ members: String) throws -> String {
    let answer = ScriptedDaemon.Answer.messages([
      """
      {"parameters":{"alarm":{"number":17,"state":"scheduled","done":false,"category":"other","eggs":1,\
      "label":"소라 birthday",\(members)},"occurrences":[]}}
      """
    ])
    return try Run.eggctl("show", "17", answers: [answer]).run.output
  }

  @Test("show derives age, days, next occasion, star sign, animal and birthstone from the date of birth")
  func show() throws {
    #expect(
      try Self.show(
        """
        "due":1803805200000000,"expression":"*-02~01 09:00:00","kind":"every","calendarEvent":"*-02~01 09:00:00",\
        "floats":true,"group":"가족","anniversary":"2024-02-29"
        """)
          == """
          #17  2027. 02. 28. 09:00:00  on Sunday  in 99 d 11 h 25 min 30 s  every year on the last day of Feb 09:00   소라 birthday
          state       scheduled
          born        2024. 02. 29.
          age         2 years
          days        996, the day of birth counted
          occasion    3rd birthday on 2027. 02. 28., in 100 days
          star sign   Pisces
          zodiac      dragon
          birthstone  amethyst
          entered     *-02~01 09:00:00
          kind        every *-02~01 09:00:00, in this machine's zone
          eggs        1
          group       가족

          """)
  }

  @Test("list --today tells of a birthday whose alarm has rung, and of a 100th day once")
  func today() throws {
    func list(_ alarms: String...) throws -> Run {
      let all = ScriptedDaemon.Answer.reply(
        "{\"alarms\":[\(alarms.joined(separator: ","))],\"totals\":{\"alarms\":0,\"eggs\":0}}")
      let answers = [all, .nothingRings]
      let (run, calls) = try Run.eggctl("list", "--today", answers: answers)
      #expect(calls.first?.contains("dueFrom") == false && calls.last?.contains("dueFrom") == true)
      let told = run.output.split(separator: "\n").first?.dropFirst("today: ".count) ?? ""
      #expect(
        try Run.eggctl("list", "--today", "--json", answers: answers).run.output.hasSuffix(
          "},\"occasions\":[\"\(told)\"]}\n"))
      return run
    }
    func alarm(_ label: String, _ members: String) -> String {
      "{\"number\":3,\"state\":\"scheduled\",\"done\":false,\"category\":\"other\",\"eggs\":1,"
        + "\"label\":\"\(label)\",\(members)}"
    }
    let bob = alarm(
      "Bob birthday",
      "\"kind\":\"every\",\"anniversary\":\"1990-11-20\",\"calendarEvent\":\"*-11-20 09:00:00\"")
    #expect(try list(bob).output == "today: Bob birthday: 36 years\n\nno alarm passes the filters\n")
    let born = "\"anniversary\":\"2026-08-13\""
    let birthday = alarm("Al birthday", "\"kind\":\"every\",\"calendarEvent\":\"*-08-13 09:00:00\",\(born)")
    let hundredth = alarm("Al 100th day", "\"kind\":\"at\",\"civil\":\"2026-11-20 09:00:00\",\(born)")
    #expect(try list(birthday).output.hasPrefix("today: Al birthday: 100th day\n\n"))
    #expect(try list(birthday, hundredth).output.hasPrefix("today: Al 100th day\n\n"))
  }

  @Test("show takes the day of a 29 February birthday from the alarm's own time")
  func showMarch() throws {
    let march = "2026/4,2027/4,2029/4,2100-03-01 09:00:00"
    for (birth, event, occasion) in [
      ("2024-02-29", march, "3rd birthday on 2027. 03. 01., in 101 days"),
      ("2024-02-29", "2028/4-02-29 09:00:00", "3rd birthday on 2027. 03. 01., in 101 days"),
      ("2026-08-13", "*-08-13 09:00:00", "100th day on 2026. 11. 20., today"),
      ("2025-11-21", "*-11-21 09:00:00", "first birthday on 2026. 11. 21., tomorrow"),
    ] {
      let text = try Self.show("\"calendarEvent\":\"\(event)\",\"anniversary\":\"\(birth)\"")
      #expect(text.contains("occasion    \(occasion)\n"))
    }
  }

  @Test("show gives both possible days if the alarm's own time does not decide")
  func showEither() throws {
    let hundredth = try Self.show("\"civil\":\"2024-06-07 09:00:00\",\"anniversary\":\"2024-02-29\"")
    #expect(hundredth.contains("age         2 years\n"))
    #expect(hundredth.contains("occasion    3rd birthday on 2027. 02. 28. or 2027. 03. 01.\n"))
  }

  @Test("show gives no age before birth, and no animal if the lunar new year is unknown")
  func showLess() throws {
    let unborn = try Self.show("\"anniversary\":\"2027-05-05\"")
    #expect(!unborn.contains("age ") && !unborn.contains("days  "))
    #expect(unborn.contains("occasion    100th day on 2027. 08. 12., in 265 days\n"))
    let early = try Self.show("\"anniversary\":\"1900-01-30\"")
    #expect(early.contains("age         126 years\n") && !early.contains("zodiac"))
    #expect(!(try Self.show("\"anniversary\":\"1899-01-30\"")).contains("born"))
  }

  @Test("A lunar birthday rings on the solar day of each year, until 2100") func lunar() throws {
    let (run, calls) = try Run.eggctl(
      "anniversary", "할머니", "1946. 5. 5.", "--lunar", "-q", answers: Self.replies(to: Self.old))
    #expect(run == .said("15\n"))
    // 단오 of 2027 to 2100; the day of birth in the solar calendar.
    let staged = try #require(calls.dropFirst(2).first)
    #expect(staged.contains("\"rule\":\"DTSTART:20270609T090000 RDATE:20280528T090000,20290616T090000,"))
    #expect(staged.contains(",21000612T090000\""))
    #expect(staged.contains("\"anniversary\":\"1946-06-04\""))
  }

  @Test("A leap month is celebrated in the leap month of years that have it") func leapMonth() throws {
    let (run, calls) = try Run.eggctl(
      "anniversary", "Jun", "20170510", "--lunar", "--leap-month", "-q", answers: Self.replies(to: Self.old))
    #expect(run == .said("15\n"))
    // 2028 and 2036 have leap months, of which 2036's is the sixth; 2028's is the fifth.
    let dates = [2027, 2028, 2036].compactMap {
      LunarDate(year: 2017, month: 5, day: 10, isLeapMonth: true)?.celebrated(in: $0)
    }
    #expect(dates.map(\.month) == [6, 7, 6])
    for date in dates.dropFirst() {
      let text = "\(date)".prefix(10).split(separator: "-").joined()
      #expect(calls[2].contains("\(text)T090000"))
    }
  }

  @Test(
    "Lunar dates that do not exist are refused with the reason",
    arguments: [
      (["1946-13-05", "--lunar"], "'1946-13-05' is no date of the lunar calendar: months are 1 to 12"),
      (["2026-02-30", "--lunar"], "'2026-02-30' is no date of the lunar calendar: that month has 29 days"),
      (["2018-05-05", "--lunar", "--leap-month"], "the lunar year 2018 has no leap month 5"),
      (["5 Mai 1946", "--lunar"], "'5 Mai 1946' is not year, month and day of the lunar calendar"),
      (["1899-05-05", "--lunar"], "the lunar calendar is known from 1900 to 2100"),
      (["2026-12-05", "--lunar"], "'2026-12-05' is in the future; enter the day of birth"),
      (["1946-05-05", "--leap-month"], "--leap-month needs --lunar"),
      (["1946-05-05", "--lunar", "--leap-day", "march-1"], "--lunar excludes --leap-day"),
    ])
  func lunarRefusals(_ words: [String], _ message: String) {
    let run = Run.run(["anniversary", "Mina"] + words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
    #expect(run.status == .usage)
    #expect(run.messages.split(separator: "\n").first ?? "" == "eggctl: error: \(message)")
  }

  @Test("show says how a lunar birthday is kept") func showLunar() throws {
    let text = try Self.show(
      """
      "due":1812445200000000,"expression":"DTSTART:20270609T090000","kind":"every","rule":"DTSTART:20270609T090000 \
      RDATE:20280528T090000","floats":true,"anniversary":"1946-06-04"
      """)
    #expect(text.contains("  each lunar birthday   "))
    #expect(
      text.contains(
        """
        born        1946. 06. 04.
        lunar       year 1946, month 5, day 5
        age         80 years
        days        29390, the day of birth counted
        occasion    81st birthday on 2027. 06. 09., in 201 days
        """))
    #expect(text.contains("\nkind        each lunar birthday until 2100, in this machine's zone\n"))
    #expect(!text.contains("entered"))
    let leap = try Self.show(
      "\"kind\":\"every\",\"rule\":\"DTSTART:20270609T090000 RDATE:20280528T090000\",\"anniversary\":\"2017-07-22\""
    )
    #expect(leap.contains("lunar       year 2017, leap month 5, day 29\n"))
    #expect(leap.contains("kept        in the leap month of years that have it, else in month 5\n"))
  }

  @Test("Help begins with examples")
  func help() {
    let run = Run.alone("help", "anniversary")
    #expect(run.status == .success)
    #expect(run.output.split(separator: "\n").dropFirst().first == "eggctl anniversary Mina 2026-09-01")
    #expect(run.output.contains("--leap-month"))
  }
}
