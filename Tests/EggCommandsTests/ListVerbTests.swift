import Testing

@testable import EggCommands

/// The verbs of the list with a scripted daemon: the calls and the exact output.
@Suite("Done, move, group, undo and filters")
struct ListVerbTests {
  private static let waiting = """
    {"number":12,"state":"scheduled","done":false,"category":"soft","eggs":2,"due":1795210860000000,\
    "label":"달걀 🥚 두 개","group":"Sunday"}
    """
  private static let done = """
    {"number":12,"state":"skipped","done":true,"category":"soft","eggs":2,"label":"달걀 🥚 두 개"}
    """
  private static let group = """
    {"name":"일요일 🥚","color":"yellow","icon":"egg","alarms":5,"done":3,"eggs":7,"next":1795210475000000}
    """

  private static func reply(_ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":\(parameters)}"])
  }

  private static func alarms(_ alarms: String) -> ScriptedDaemon.Answer {
    reply("{\"alarms\":[\(alarms)],\"missing\":[],\"missingIds\":[],\"sequence\":7}")
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
    let count = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":1,\"eggs\":2}}")
    let none = try Run.eggctl("undone", "--all", answers: [count, Self.alarms("")]).run
    #expect(none == .said("no alarm is marked done\n"))
  }

  @Test("A change of more alarms than a reply holds says how many more there are")
  func more() throws {
    let count = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":5000,\"eggs\":5000}}")
    let answer = Self.reply(
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
      "list", answers: [.nothingRings, Self.reply("{\"alarms\":[\(done)],\(totals)}")]
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
      "list", answers: [.nothingRings, Self.reply("{\"alarms\":[\(alarms)],\(totals)}")])
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
    reply(
      "{\"alarms\":[\(alarms.joined(separator: ","))],\"totals\":{\"alarms\":\(alarms.count),\"eggs\":3}}")
  }

  @Test("By default ringing alarms are listed first, and only once")
  func ringingFirst() throws {
    let rings = Self.egg(3, ",\"label\":\"up\"", state: "ringing")
    let answers = [Self.list(rings), Self.list(Self.egg(1), Self.egg(2), rings)]
    let (run, calls) = try Run.eggctl("list", "-q", answers: answers)
    #expect(run == .said("3\n1\n2\n"))
    #expect(calls.first?.contains("\"states\":[\"ringing\"]") == true)
    #expect(calls.last?.contains("\"states\"") == false)
    let json = try Run.eggctl("list", "--json", answers: answers).run.output
    #expect(json.prefix { $0 != "}" }.contains("\"number\":3"))
    #expect(json.split(separator: "\"number\":3").count == 2)
    let arranged = try Run.eggctl("list", "--sort", "position", "-q", answers: [answers[1]]).run
    #expect(arranged == .said("1\n2\n3\n"))
    let filtered = try Run.eggctl("list", "--state", "ringing", "-q", answers: [answers[0]]).run
    #expect(filtered == .said("3\n"))
  }

  @Test(
    "The table fits the terminal: the year goes first, then seconds, then gaps, then labels are cut",
    arguments: [
      (
        nil,
        """
        3 eggs in 4 alarms · nothing to come
          #   DUE                      LEFT          STATE      EGGS  LABEL
         12   2026. 11. 20. 21:41:00   6 min 30 s    scheduled     1  한글 달걀 🥚 and toast  [Sunday]
         13   2027. 11. 21. 07:30:00   365 d 9 h     scheduled     1  the title
         14                                          ringing       1
         15   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ get up

        """
      ),
      (
        120,
        """
        3 eggs in 4 alarms · nothing to come
          #   DUE                      LEFT          STATE      EGGS  LABEL
         12   2026. 11. 20. 21:41:00   6 min 30 s    scheduled     1  한글 달걀 🥚 and toast  [Sunday]
         13   2027. 11. 21. 07:30:00   365 d 9 h     scheduled     1  the title
         14                                          ringing       1
         15   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ get up

        """
      ),
      (
        90,
        """
        3 eggs in 4 alarms · nothing to come
          #   DUE                LEFT          STATE      EGGS  LABEL
         12   11. 20. 21:41:00   6 min 30 s    scheduled     1  한글 달걀 🥚 and toast  [Sunday]
         13   2027. 11. 21.      365 d 9 h     scheduled     1  the title
         14                                    ringing       1
         15   11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ get up

        """
      ),
      (
        80,
        """
        3 eggs in 4 alarms · nothing to come
          #  DUE            LEFT         STATE      EGGS  LABEL
         12  11. 20. 21:41  6 min 30 s   scheduled     1  한글 달걀 🥚 and toast  [Sund…
         13  2027. 11. 21.  365 d 9 h    scheduled     1  the title
         14                              ringing       1
         15  11. 21. 07:30  9 h 55 min   scheduled     1  ↻ get up

        """
      ),
      (
        60,
        """
        3 eggs in 4 alarms · nothing to come
          #  DUE            LEFT         STATE      LABEL
         12  11. 20. 21:41  6 min 30 s   scheduled  한글 달걀 🥚 an…
         13  2027. 11. 21.  365 d 9 h    scheduled  the title
         14                              ringing
         15  11. 21. 07:30  9 h 55 min   scheduled  ↻ get up

        """
      ),
      (
        40,
        """
        3 eggs in 4 alarms · nothing to come
          #  LEFT         LABEL
         12  6 min 30 s   한글 달걀 🥚 and toas…
         13  365 d 9 h    the title
         14  ringing
         15  9 h 55 min   ↻ get up

        """
      ),
    ] as [(Int?, String)])
  func widths(columns: Int?, table: String) throws {
    let answers = [
      ScriptedDaemon.Answer.nothingRings,
      Self.list(
        Self.egg(12, ",\"due\":1795210860000000,\"label\":\"한글 달걀 🥚 and toast\",\"group\":\"Sunday\""),
        Self.egg(13, ",\"due\":1826782200000000,\"summary\":\"the title\""),
        Self.egg(14, state: "ringing"),
        Self.egg(15, ",\"due\":1795246200000000,\"kind\":\"every\",\"label\":\"get up\"")),
    ]
    let run = try Run.eggctl("list", answers: answers, columns: columns).run
    #expect(run == .said(table))
    for line in run.output.split(separator: "\n") { #expect(line.displayWidth <= columns ?? 200) }
  }

  @Test("A row has the colour of its state, and its group the group's own")
  func listColours() throws {
    let groups = Self.reply(
      "{\"groups\":[{\"name\":\"Sunday\",\"color\":\"red\",\"alarms\":1,\"done\":0,\"eggs\":1}]}")
    let list = Self.list(Self.egg(1, ",\"label\":\"up\",\"group\":\"Sunday\"", state: "ringing"))
    let lines = try Run.eggctl("list", answers: [.nothingRings, list, groups], colours: true).run.output
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
      two == .failed(.usage, "eggctl: error: --before, --after, --top and --bottom exclude each other\n"))
    let itself = try Run.eggctl("move", "12", "--after", "12").run
    #expect(itself == .failed(.usage, "eggctl: error: alarm 12 cannot be put next to itself\n"))
  }

  @Test("group shows progress, eggs and the next moment, also with wide names")
  func groups() throws {
    let second = """
      {"name":"empty","alarms":0,"done":0,"eggs":0}
      """
    let run = try Run.eggctl(
      "group", answers: [Self.reply("{\"groups\":[\(Self.group),\(second)]}")]
    ).run
    #expect(
      run
        == .said(
          """
          GROUP          DONE                       EGGS   NEXT
          일요일 🥚      ██████░░░░  60 %  3 of 5      7   in 5 s
          empty          ░░░░░░░░░░  0 %  0 of 0       0

          """))
    let names = try Run.eggctl(
      "group", "list", "-q", answers: [Self.reply("{\"groups\":[\(Self.group),\(second)]}")]
    ).run
    #expect(names == .said("일요일 🥚\nempty\n"))
    let none = try Run.eggctl("group", "list", answers: [Self.reply("{\"groups\":[]}")]).run
    #expect(none.output == "no groups yet\n")
    #expect(none.messages == "eggctl: hint: eggctl group create Sunday --color yellow\n")
  }

  @Test("A group's colour is shown on terminals only")
  func colour() throws {
    let answers = [Self.reply("{\"groups\":[\(Self.group)]}")]
    let run = try Run.eggctl("group", answers: answers, colours: true).run
    #expect(run.output.contains("\u{1b}[33m일요일 🥚\u{1b}[0m"))
    #expect(try !Run.eggctl("group", answers: answers).run.output.contains("\u{1b}"))
  }

  @Test("group create, rename and edit send their arguments")
  func changeGroup() throws {
    let answer = [Self.reply("{\"group\":\(Self.group),\"sequence\":3}")]
    let (made, create) = try Run.eggctl(
      "group", "create", "일요일 🥚", "--color", "yellow", "--icon", "egg", answers: answer)
    #expect(made.output.contains("일요일 🥚      ██████░░░░  60 %  3 of 5      7   in 5 s\n"))
    #expect(create.first?.contains("CreateGroup") == true)
    for member in ["\"color\":\"yellow\"", "\"icon\":\"egg\"", "\"name\":\"일요일 🥚\""] {
      #expect(create.first?.contains(member) == true)
    }
    let rename = try Run.eggctl("group", "rename", "a", "b", answers: answer).calls
    #expect(rename.first?.contains("\"newName\":\"b\"") == true)
    let edit = try Run.eggctl("group", "edit", "a", "--no-color", "--icon", "", answers: answer).calls
    #expect(edit.first?.contains("\"plain\":true") == true)
    #expect(edit.first?.contains("\"icon\":\"\"") == true)
    #expect(
      try Run.eggctl("group", "edit", "a").run
        == .failed(
          .usage, "eggctl: error: no change was given\neggctl: hint: eggctl help group edit\n"))
    let bad = try Run.eggctl("group", "create", "a\u{7}b").run
    #expect(bad == .failed(.usage, "eggctl: error: the group contains control characters\n"))
  }

  @Test("A group with alarms is deleted only with an option for its alarms, and after a question")
  func deleteGroup() throws {
    let listed = Self.reply("{\"groups\":[\(Self.group)]}")
    let deleted = Self.reply("{\"count\":5,\"rang\":[3],\"sequence\":9}")
    #expect(
      try Run.eggctl("group", "delete", "Sunday", answers: [listed], typed: ["y"]).run
        == .failed(
          .usage,
          """
          eggctl: error: 'Sunday' has 5 alarms: give --keep-alarms or --delete-alarms
          eggctl: hint: eggctl group delete Sunday --keep-alarms

          """))
    let (run, calls) = try Run.eggctl(
      "group", "delete", "Sunday", "--delete-alarms", answers: [listed, deleted], typed: ["y"])
    #expect(run.output == "deleted the group 'Sunday' and 5 alarms · had already rung: #3\n")
    #expect(run.messages == "delete the group 'Sunday' and its 5 alarms? [y/N] ")
    #expect(calls.last?.contains("\"alarms\":\"delete\"") == true)
    let kept = try Run.eggctl(
      "group", "delete", "Sunday", "--keep-alarms", "-y",
      answers: [listed, Self.reply("{\"count\":5,\"rang\":[],\"sequence\":9}")]
    ).run
    #expect(kept == .said("deleted the group 'Sunday'; kept 5 alarms\n"))
    let no = try Run.eggctl(
      "group", "delete", "Sunday", "--keep-alarms", answers: [listed], typed: ["n"]
    ).run
    #expect(no.status == .refused)
  }

  private static func undone(own: Bool, change: String = "delete", missed: String = "")
    -> ScriptedDaemon.Answer
  {
    reply(
      """
      {"change":"\(change)","madeAt":1795210350000000,"client":"python3","own":\(own),"count":2,\
      "numbers":[3,4],"label":"<b>\\u202eegg","missed":[\(missed)],"sequence":9}
      """)
  }

  @Test("undo names the undone change and what was missed")
  func undo() throws {
    let (run, calls) = try Run.eggctl(
      "undo", answers: [Self.undone(own: true), Self.undone(own: true, missed: "3,4")])
    #expect(
      run
        == .said(
          """
          undone: deleted #3, #4 '<b>\\u{202e}egg', 2 min ago, by python3
          missed meanwhile: #3, #4

          """))
    #expect(calls.first?.contains("\"preview\":true") == true)
    #expect(calls.last?.contains("\"sequence\":9") == true)
    let preview = try Run.eggctl("undo", "--preview", answers: [Self.undone(own: true, change: "import")]).run
    #expect(preview == .said("would undo: imported #3, #4 '<b>\\u{202e}egg', 2 min ago, by python3\n"))
  }

  @Test("undo asks on a terminal before it undoes another's change")
  func undoAnother() throws {
    let answers = [Self.undone(own: false), Self.undone(own: false)]
    let (no, calls) = try Run.eggctl("undo", answers: answers, typed: ["n"])
    #expect(no.status == .refused)
    #expect(calls.count == 1)
    #expect(
      no.messages.hasPrefix(
        "undo another's change: deleted #3, #4 '<b>\\u{202e}egg', 2 min ago, by python3? [y/N] "))
    #expect(try Run.eggctl("undo", answers: answers, typed: ["y"]).run.status == .success)
    #expect(try Run.eggctl("undo", answers: answers).calls.count == 2)
    let nothing = ScriptedDaemon.Answer.messages(["{\"error\":\"io.eggd.Schedule.NothingToUndo\"}"])
    #expect(
      try Run.eggctl("undo", answers: [nothing]).run
        == .failed(.refused, "eggctl: error: there is nothing to undo\n"))
  }

  @Test("redo names the redone change, and asks first if another undid it")
  func redo() throws {
    let (run, calls) = try Run.eggctl(
      "redo", answers: [Self.undone(own: true), Self.undone(own: true, missed: "3")])
    #expect(
      run
        == .said(
          """
          redone: deleted #3, #4 '<b>\\u{202e}egg', undone 2 min ago, by python3
          missed meanwhile: #3

          """))
    #expect(calls.map { $0.contains("io.eggd.Schedule.Redo") } == [true, true])
    #expect(calls.last?.contains("\"sequence\":9") == true)
    let (no, asked) = try Run.eggctl("redo", answers: [Self.undone(own: false)], typed: ["n"])
    #expect(no.status == .refused)
    #expect(asked.count == 1)
    #expect(no.messages.hasPrefix("redo a change that another undid: deleted #3, #4 "))
    let preview = try Run.eggctl("redo", "--preview", answers: [Self.undone(own: true)]).run
    #expect(preview == .said("would redo: deleted #3, #4 '<b>\\u{202e}egg', undone 2 min ago, by python3\n"))
    let nothing = ScriptedDaemon.Answer.messages(["{\"error\":\"io.eggd.Schedule.NothingToUndo\"}"])
    #expect(
      try Run.eggctl("redo", answers: [nothing]).run
        == .failed(.refused, "eggctl: error: there is nothing to redo\n"))
  }

  @Test("list sends its filters and shows the totals of what it lists")
  func filters() throws {
    let page = Self.reply(
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
    let today = try Run.eggctl("list", "--today", answers: [.nothingRings, page]).calls
    #expect(today.first?.contains("\"dueFrom\":1795132800000000") == true)
    #expect(today.first?.contains("\"dueBefore\":1795219200000000") == true)
    let rung = try Run.eggctl("list", "--rung", answers: [.nothingRings, page]).calls
    #expect(rung.last?.contains("\"states\":[\"ringing\",\"snoozed\",\"rung\"]") == true)
  }

  @Test("Filters that no alarm passes say so, and how to see all alarms")
  func nothingPasses() throws {
    let empty = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":0,\"eggs\":0}}")
    let run = try Run.eggctl("list", "--category", "hard", answers: [.nothingRings, empty]).run
    #expect(run.output == "no alarm passes the filters\n")
    #expect(run.messages == "eggctl: hint: eggctl list\n")
    #expect(
      try Run.eggctl("list", "--done", "--undone").run
        == .failed(.usage, "eggctl: error: --done and --undone exclude each other\n"))
  }

  @Test("delete -q says how many numbers it left out")
  func deleteMany() throws {
    let reply = Self.reply(
      """
      {"deleted":[1,2],"count":5,"rang":[],"missing":[],"missingIds":[],"sequence":7}
      """)
    let (run, _) = try Run.eggctl("delete", "1-5", "-q", answers: [reply])
    #expect(run == Run(status: .success, output: "1\n2\n", messages: "eggctl: and 3 more\n"))
  }

  @Test("delete --rung-before sends the moment, for all alarms by default")
  func rungBefore() throws {
    let reply = Self.reply(
      "{\"count\":2,\"deleted\":[1,2],\"rang\":[1,2],\"missing\":[],\"missingIds\":[],\"sequence\":5}")
    let count = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":5,\"eggs\":5}}")
    let (run, calls) = try Run.eggctl("delete", "--rung-before", "1 week ago", answers: [count, reply])
    #expect(run == .said("deleted #1, #2\n"))
    #expect(calls.last?.contains("\"all\":true") == true)
    #expect(calls.last?.contains("\"rungBefore\":1794605670000000") == true)
  }

  @Test("delete --rung-before names alarms that do not exist, and exits with 1")
  func rungBeforeMissing() throws {
    let reply = Self.reply(
      "{\"count\":1,\"deleted\":[3],\"rang\":[3],\"missing\":[99],\"missingIds\":[],\"sequence\":5}")
    #expect(
      try Run.eggctl("delete", "3", "99", "--rung-before", "1 week ago", answers: [reply]).run
        == Run(
          status: .refused, output: "deleted #3\n",
          messages: "eggctl: error: there is no alarm 99\neggctl: hint: eggctl list\n"))
  }

  @Test("delete --rung-before never asks, and the help of --all says so")
  func rungBeforeOfAll() throws {
    let count = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":5,\"eggs\":5}}")
    let reply = Self.reply(
      "{\"count\":1,\"deleted\":[3],\"rang\":[3],\"missing\":[],\"missingIds\":[],\"sequence\":5}")
    for words in [["delete", "--all", "--rung-before", "1h ago"], ["delete", "--rung-before", "1h ago"]] {
      let daemon = try ScriptedDaemon([count, reply])
      defer { daemon.end() }
      #expect(
        Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory], typed: [])
          == .said("deleted #3\n"))
    }
    #expect(Run.alone("help", "delete").output.contains("asks first, except with"))
  }

  @Test("schedule and edit take a group")
  func group() throws {
    let answer = Self.reply("{\"alarm\":\(Self.waiting),\"existed\":false,\"sequence\":1}")
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
