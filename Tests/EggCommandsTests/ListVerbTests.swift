import Testing

@testable import EggCommands

/// The verbs of the list with a scripted daemon: the calls and the exact output.
@Suite("Done, move, the list and its filters")
struct ListVerbTests {
  private static let waiting = """
    {"number":12,"state":"scheduled","done":false,"category":"soft","eggs":2,"due":1795210860000000,\
    "label":"달걀 🥚 두 개","group":"Sunday"}
    """
  private static let done = """
    {"number":12,"state":"skipped","done":true,"category":"soft","eggs":2,"label":"달걀 🥚 두 개"}
    """

  private static func alarms(_ alarms: String) -> ScriptedDaemon.Answer {
    .reply("{\"alarms\":[\(alarms)],\"missing\":[],\"missingIds\":[],\"sequence\":7}")
  }

  @Test("done and undone send the mark and show the alarm")
  func done() throws {
    let (run, calls) = try Run.eggctl("done", "12", answers: [Self.alarms(Self.done)])
    #expect(run == .said("#12  skipped, done   달걀 🥚 두 개\n"))
    #expect(calls.first?.contains("\"method\":\"io.eggd.Schedule.MarkDone\"") == true)
    #expect(calls.first?.contains("\"done\":true") == true)
    let (back, again) = try Run.eggctl("undone", "12", answers: [Self.alarms(Self.waiting)])
    #expect(back == .said("#12  2026. 11. 20. 21:41:00  in 6 min 30 s   달걀 🥚 두 개\n"))
    #expect(again.first?.contains("\"done\":false") == true)
    let count = ScriptedDaemon.Answer.reply("{\"alarms\":[],\"totals\":{\"alarms\":1,\"eggs\":2}}")
    let none = try Run.eggctl("undone", "--all", answers: [count, Self.alarms("")]).run
    #expect(none == .said("no alarm is marked done\n"))
  }

  @Test("A change of more alarms than a reply holds says how many more there are")
  func more() throws {
    let count = ScriptedDaemon.Answer.reply("{\"alarms\":[],\"totals\":{\"alarms\":5000,\"eggs\":5000}}")
    let answer = ScriptedDaemon.Answer.reply(
      "{\"alarms\":[\(Self.done)],\"count\":5000,\"missing\":[],\"missingIds\":[],\"sequence\":7}")
    #expect(
      try Run.eggctl("done", "--all", answers: [count, answer]).run
        == .said("#12  skipped, done   달걀 🥚 두 개\nand 4999 more\n"))
    #expect(
      try Run.eggctl("done", "--all", "-q", answers: [count, answer]).run
        == Run(status: .success, output: "12\n", messages: "eggctl: and 4999 more\n"))
    let json = try Run.eggctl("done", "--all", "--json", answers: [count, answer]).run
    #expect(json.output.contains("\"count\":5000"))
    #expect(json.messages == "")
  }

  @Test("An alarm marked done is listed with the moment it waited for")
  func listDone() throws {
    let done = Self.done.replacing("\"eggs\":2", with: "\"eggs\":2,\"doneDue\":1795210860000000")
    let totals = "\"totals\":{\"alarms\":1,\"eggs\":2}"
    let run = try Run.eggctl(
      "list", answers: [ScriptedDaemon.Answer.reply("{\"alarms\":[\(done)],\(totals)}")]
    ).run
    #expect(
      run
        == .said(
          """
          2 eggs in 1 alarm · nothing to come
            #   DUE                      LEFT          STATE      EGGS  LABEL
           12   2026. 11. 20. 21:41:00                 done          2  달걀 🥚 두 개

          """))
  }

  @Test("Recurring alarms have a sign before their label, and columns stay aligned; paused alarms say so")
  func listRecurring() throws {
    func alarm(_ number: Int, _ state: String, _ members: String) -> String {
      """
      {"number":\(number),"state":"\(state)","done":false,"category":"other","eggs":1,\
      "due":1795246200000000,\(members)}
      """
    }
    let alarms = [
      alarm(1, "scheduled", "\"kind\":\"every\",\"label\":\"달걀 🥚\",\"group\":\"Sunday\""),
      alarm(2, "paused", "\"kind\":\"every\""),
      alarm(3, "scheduled", "\"kind\":\"every\",\"group\":\"Sunday\""),
      alarm(4, "scheduled", "\"kind\":\"at\",\"label\":\"달걀 🥚\""),
    ].joined(separator: ",")
    let totals = "\"totals\":{\"alarms\":4,\"eggs\":4,\"next\":1795246200000000}"
    let (run, calls) = try Run.eggctl(
      "list", answers: [ScriptedDaemon.Answer.reply("{\"alarms\":[\(alarms)],\(totals)}")])
    #expect(
      run
        == .said(
          """
          4 eggs in 4 alarms · next rings in 9 h 55 min
            #   DUE                      LEFT          STATE      EGGS  LABEL
            1   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ 달걀 🥚  [Sunday]
            2   2026. 11. 21. 07:30:00   9 h 55 min    paused        1  ↻
            3   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻  [Sunday]
            4   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1  달걀 🥚

          """))
    #expect(calls.last?.contains("\"kind\"") == true)
  }

  private static func egg(_ number: Int, _ members: String = "", state: String = "scheduled") -> String {
    """
    {"number":\(number),"state":"\(state)","done":false,"category":"other","eggs":1\(members)}
    """
  }

  private static func list(_ alarms: String...) -> ScriptedDaemon.Answer {
    .reply(
      "{\"alarms\":[\(alarms.joined(separator: ","))],\"totals\":{\"alarms\":\(alarms.count),\"eggs\":3}}")
  }

  @Test("By default ringing alarms are listed first, and only once")
  func ringingFirst() throws {
    let rings = Self.egg(3, ",\"label\":\"up\"", state: "ringing")
    let all = Self.list(Self.egg(1), Self.egg(2), rings)
    let (run, calls) = try Run.eggctl("list", "-q", answers: [all])
    #expect(run == .said("3\n1\n2\n"))
    #expect(calls.count == 1 && calls.last?.contains("\"states\"") == false)
    let json = try Run.eggctl("list", "--json", answers: [all]).run.output
    #expect(json.prefix { $0 != "}" }.contains("\"number\":3"))
    #expect(json.split(separator: "\"number\":3").count == 2)
    let arranged = try Run.eggctl("list", "--sort", "position", "-q", answers: [all]).run
    #expect(arranged == .said("1\n2\n3\n"))
    let filtered = try Run.eggctl("list", "--state", "ringing", "-q", answers: [Self.list(rings)]).run
    #expect(filtered == .said("3\n"))
  }

  @Test("On a terminal what rings and what waits is seen first, and of what is over the newest that fit")
  func sections() throws {
    func over(_ number: Int) -> String {
      let moment = 1_795_200_000_000_000 - number * 60_000_000
      return Self.egg(
        number, ",\"latest\":{\"id\":\(moment),\"dueAt\":\(moment),\"outcome\":\"rung\"}", state: "rung")
    }
    let alarms =
      (1...8).map(over) + [
        Self.egg(20, ",\"due\":1795246200000000"), Self.egg(21, state: "ringing"),
        Self.egg(22, state: "paused"),
        Self.egg(23, ",\"due\":1795246200000000", state: "snoozed"),
      ]
    let answer = ScriptedDaemon.Answer.reply(
      "{\"alarms\":[\(alarms.joined(separator: ","))],\"totals\":{\"alarms\":12,\"eggs\":12}}")
    func shown(_ words: [String], _ lines: Int?, answers: [ScriptedDaemon.Answer]) throws -> [Substring] {
      let daemon = try ScriptedDaemon(answers)
      defer { daemon.end() }
      let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory], height: lines)
      let lines = run.output.split(separator: "\n").dropFirst(2)
      return lines.map { $0.contains("over: ") ? $0 : $0.split(separator: " ")[0] }
    }
    let all = ["21", "20", "22", "23", "8", "7", "6", "5", "4", "3", "2", "1"].map { Substring($0) }
    // Two lines before the alarms, and the prompt.
    #expect(try shown(["list"], 15, answers: [answer]) == all)
    let some = all.prefix(4) + ["4", "3", "2", "1", "4 more are over: eggctl list --all"]
    #expect(try shown(["list"], 12, answers: [answer]) == Array(some))
    // Their top has left the screen.
    let few = all.prefix(4) + ["3", "2", "1", "5 more are over: eggctl list --all", "rings:", "next:"]
    #expect(try shown(["list"], 4, answers: [answer]) == Array(few))
    #expect(try shown(["list", "--sort", "due"], 4, answers: [answer]).contains("5 more are over: --all"))
    #expect(try shown(["list", "--all"], 4, answers: [answer]) == all + ["rings:", "next:"])
    // A filter by state shows what it finds, as a pipe does.
    #expect(try shown(["list", "--state", "rung"], 4, answers: [answer]).count == 12)
    #expect(try shown(["list"], nil, answers: [answer]).count == 12)
  }

  @Test(
    "The table fits the terminal: the year goes first, then seconds, then gaps, then labels are cut",
    arguments: [
      (
        nil,
        """
        3 eggs in 4 alarms · nothing to come
          #   DUE                      LEFT          STATE      EGGS  LABEL
         14                                          ringing       1
         12   2026. 11. 20. 21:41:00   6 min 30 s    scheduled     1  한글 달걀 🥚 and toast  [Sunday]
         13   2027. 11. 21. 07:30:00   365 d 9 h     scheduled     1  the title
         15   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ get up

        """
      ),
      (
        120,
        """
        3 eggs in 4 alarms · nothing to come
          #   DUE                      LEFT          STATE      EGGS  LABEL
         14                                          ringing       1
         12   2026. 11. 20. 21:41:00   6 min 30 s    scheduled     1  한글 달걀 🥚 and toast  [Sunday]
         13   2027. 11. 21. 07:30:00   365 d 9 h     scheduled     1  the title
         15   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ get up

        """
      ),
      (
        90,
        """
        3 eggs in 4 alarms · nothing to come
          #   DUE                LEFT          STATE      EGGS  LABEL
         14                                    ringing       1
         12   11. 20. 21:41:00   6 min 30 s    scheduled     1  한글 달걀 🥚 and toast  [Sunday]
         13   2027. 11. 21.      365 d 9 h     scheduled     1  the title
         15   11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ get up

        """
      ),
      (
        80,
        """
        3 eggs in 4 alarms · nothing to come
          #  DUE            LEFT         STATE      EGGS  LABEL
         14                              ringing       1
         12  11. 20. 21:41  6 min 30 s   scheduled     1  한글 달걀 🥚 and toast  [Sund…
         13  2027. 11. 21.  365 d 9 h    scheduled     1  the title
         15  11. 21. 07:30  9 h 55 min   scheduled     1  ↻ get up

        """
      ),
      (
        60,
        """
        3 eggs in 4 alarms · nothing to come
          #  DUE            LEFT         STATE      LABEL
         14                              ringing
         12  11. 20. 21:41  6 min 30 s   scheduled  한글 달걀 🥚 an…
         13  2027. 11. 21.  365 d 9 h    scheduled  the title
         15  11. 21. 07:30  9 h 55 min   scheduled  ↻ get up

        """
      ),
      (
        40,
        """
        3 eggs in 4 alarms · nothing to come
          #  LEFT         LABEL
         14  ringing
         12  6 min 30 s   한글 달걀 🥚 and toas…
         13  365 d 9 h    the title
         15  9 h 55 min   ↻ get up

        """
      ),
    ] as [(Int?, String)])
  func widths(columns: Int?, table: String) throws {
    let answers = [
      Self.list(
        Self.egg(12, ",\"due\":1795210860000000,\"label\":\"한글 달걀 🥚 and toast\",\"group\":\"Sunday\""),
        Self.egg(13, ",\"due\":1826782200000000,\"summary\":\"the title\""),
        Self.egg(14, state: "ringing"),
        Self.egg(15, ",\"due\":1795246200000000,\"kind\":\"every\",\"label\":\"get up\""))
    ]
    let run = try Run.eggctl("list", answers: answers, columns: columns).run
    #expect(run == .said(table))
    for line in run.output.split(separator: "\n") { #expect(line.displayWidth <= columns ?? 200) }
  }

  @Test("A row has the colour of its state, and its group the group's own")
  func listColours() throws {
    let groups = ScriptedDaemon.Answer.reply(
      "{\"groups\":[{\"name\":\"Sunday\",\"color\":\"red\",\"alarms\":1,\"done\":0,\"eggs\":1}]}")
    let list = Self.list(Self.egg(1, ",\"label\":\"up\",\"group\":\"Sunday\"", state: "ringing"))
    let lines = try Run.eggctl("list", answers: [groups, list], colours: true).run.output
      .split(separator: "\n")
    let ringing = "\u{1b}[1;35m"
    #expect(
      lines.last?.hasSuffix(
        "\(ringing)ringing\u{1b}[0m       \(ringing)1\u{1b}[0m  \(ringing)up\u{1b}[0m  \u{1b}[31m[Sunday]\u{1b}[0m"
      )
        == true, "\(lines)")
  }

  @Test(
    "move sends the place",
    arguments: [
      (["--top"], "\"place\":\"top\"", ""), (["--bottom"], "\"place\":\"bottom\"", ""),
      (["--before", "3"], "\"place\":\"before\"", "\"other\":3"),
      (["--after", "#3"], "\"place\":\"after\"", "\"other\":3"),
    ])
  func move(options: [String], place: String, other: String) throws {
    let daemon = try ScriptedDaemon([Self.alarms(Self.waiting)])
    defer { daemon.end() }
    let run = Run.run(["move", "12"] + options, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    #expect(run == .said("#12  2026. 11. 20. 21:41:00  in 6 min 30 s   달걀 🥚 두 개\n"))
    #expect(daemon.calls.first?.contains(place) == true)
    #expect(daemon.calls.first?.contains(other) == !other.isEmpty)
  }

  @Test("move needs exactly one place")
  func moveWhere() throws {
    let none = try Run.eggctl("move", "12").run
    #expect(
      none
        == .failed(
          .usage,
          """
          eggctl: error: where to? give one of --before, --after, --top and --bottom
          eggctl: hint: eggctl move 12 --top

          """))
    let two = try Run.eggctl("move", "12", "--top", "--before", "3").run
    #expect(
      two
        == .failed(
          .usage,
          "eggctl: error: --before, --after, --top and --bottom exclude each other\neggctl: hint: eggctl help move\n"
        ))
  }

  @Test("list sends its filters and shows the totals of what it lists")
  func filters() throws {
    let page = ScriptedDaemon.Answer.reply(
      "{\"alarms\":[\(Self.waiting)],\"totals\":{\"alarms\":1,\"eggs\":2,\"next\":1795210860000000}}")
    let (run, calls) = try Run.eggctl(
      "list", "--category", "soft", "--group", "Sunday", "--state", "scheduled", "--due-before", "friday",
      "--label", "달걀", "--undone", "--sort", "label", answers: [page])
    #expect(
      run
        == .said(
          """
          2 eggs in 1 alarm · next rings in 6 min 30 s
            #   DUE                      LEFT          STATE      EGGS  LABEL
           12   2026. 11. 20. 21:41:00   6 min 30 s    scheduled     2  달걀 🥚 두 개  [Sunday]

          """))
    for member in [
      "\"categories\":[\"soft\"]", "\"group\":\"Sunday\"", "\"states\":[\"scheduled\"]", "\"label\":\"달걀\"",
      "\"done\":false", "\"order\":\"label\"", "\"dueBefore\":1795737600000000",
    ] {
      #expect(calls.first?.contains(member) == true, "\(member) in \(calls.first ?? "")")
    }
    let today = try Run.eggctl("list", "--today", answers: [page]).calls
    #expect(today.last?.contains("\"dueFrom\":1795132800000000") == true)
    #expect(today.last?.contains("\"dueBefore\":1795219200000000") == true)
    let rung = try Run.eggctl("list", "--rung", answers: [page]).calls
    #expect(rung.last?.contains("\"states\":[\"ringing\",\"snoozed\",\"rung\"]") == true)
  }

  @Test("Filters that no alarm passes say so, and how to see all alarms")
  func nothingPasses() throws {
    let empty = ScriptedDaemon.Answer.reply("{\"alarms\":[],\"totals\":{\"alarms\":0,\"eggs\":0}}")
    let run = try Run.eggctl("list", "--category", "hard", answers: [empty]).run
    #expect(run.output == "no alarm passes the filters\n")
    #expect(run.messages == "eggctl: hint: eggctl list\n")
    #expect(
      try Run.eggctl("list", "--done", "--undone").run
        == .failed(
          .usage, "eggctl: error: --done and --undone exclude each other\neggctl: hint: eggctl help list\n"))
  }

  @Test("schedule and edit take a group")
  func group() throws {
    let answer = ScriptedDaemon.Answer.reply("{\"alarm\":\(Self.waiting),\"existed\":false,\"sequence\":1}")
    let schedule = try Run.eggctl("schedule", "6m30s", "--group", "Sunday", answers: [answer]).calls
    #expect(schedule.first?.contains("\"group\":\"Sunday\"") == true)
    let edit = try Run.eggctl("edit", "12", "--group", "", answers: [Self.alarms(Self.waiting)]).calls
    #expect(edit.first?.contains("\"group\":\"\"") == true)
    let missing = ScriptedDaemon.Answer.messages([
      "{\"error\":\"io.eggd.Schedule.NoSuchGroup\",\"parameters\":{\"name\":\"Sun day\"}}"
    ])
    #expect(
      try Run.eggctl("schedule", "5s", "--group", "Sun day", answers: [missing]).run
        == .failed(
          .refused,
          """
          eggctl: error: there is no group 'Sun day'
          eggctl: hint: eggctl group lists them; eggctl group create "Sun day" creates it

          """))
  }
}
