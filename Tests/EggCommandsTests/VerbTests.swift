import Testing

@testable import EggCommands

/// Each verb with a scripted daemon: the calls and the exact output.
@Suite struct VerbTests {
  /// Two soft eggs, due 6 min 30 s after the alarm was scheduled at 21:34:30.
  private static let softOnes = """
    {"number":12,"state":"scheduled","done":false,"category":"soft","eggs":2,"due":1795210860000000,\
    "label":"two soft ones","expression":"6m30s","kind":"in","span":390000000,\
    "id":"d9428888-122b-4f13-8f3f-3e0c6c1f0b7a","createdAt":1795210470000000}
    """
  private static let morning = """
    {"number":13,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1795246200000000,\
    "expression":"tomorrow 07:30","kind":"at","zone":"UTC","floats":true,"createdAt":1795210470000000}
    """
  private static let hungry = """
    {"number":14,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1795210475000000,\
    "expression":"5s","kind":"in","span":5000000,"createdAt":1795210470000000}
    """
  private static func rung(_ number: Int, label: String) -> String {
    """
    {"number":\(number),"state":"ringing","done":false,"category":"hard","eggs":1,"label":"\(label)",\
    "latest":{"id":1795210465000000,"dueAt":1795210465000000,"outcome":"rung","firedAt":1795210468000000,\
    "lateness":3000000,"lateReason":"down"}}
    """
  }

  private static func reply(_ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":\(parameters)}"])
  }

  @Test("schedule sends expression, label and options, and shows number, moment and time left")
  func schedule() throws {
    let (run, calls) = try Run.eggctl(
      "schedule", "6m30s", "two soft ones", "--eggs", "2", "--category", "soft",
      answers: [Self.reply("{\"alarm\":\(Self.softOnes),\"existed\":false,\"sequence\":1}")])
    #expect(run == .said("#12  2026. 11. 20. 21:41:00  in 6 min 30 s   two soft ones\n"))
    #expect(calls.count == 1)
    let call = try #require(calls.first)
    #expect(call.contains("\"method\":\"io.eggd.Schedule.Schedule\""))
    for member in [
      "\"expression\":\"6m30s\"", "\"label\":\"two soft ones\"", "\"eggs\":2", "\"category\":\"soft\"",
      "\"zone\":\"UTC\"",
    ] {
      #expect(call.contains(member))
    }
  }

  @Test(
    "--insist alone means every minute; it takes a span or off",
    arguments: [
      (["--insist"], 60), (["--insist", "--wake"], 60), (["--insist", "2m"], 120),
      (["--insist=2m", "--wake"], 120),
    ])
  func insist(words: [String], seconds: Int) throws {
    let answer = Self.reply("{\"alarm\":\(Self.softOnes),\"existed\":false,\"sequence\":5}")
    let daemon = try ScriptedDaemon([answer])
    defer { daemon.end() }
    _ = Run.run(
      ["schedule", "6m30s", "--note", "lid on"] + words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    #expect(daemon.calls.first?.contains("\"insist\":\(seconds)000000") == true, "\(daemon.calls)")
    #expect(daemon.calls.first?.contains("\"note\":\"lid on\"") == true)
  }

  @Test("--sound sends a name or an absolute path; default sends nothing, or removes a sound")
  func sound() throws {
    let answer = Self.reply("{\"alarm\":\(Self.softOnes),\"existed\":false,\"sequence\":1}")
    func sent(_ sound: String) throws -> String? {
      try Run.eggctl("schedule", "6m30s", "--sound", sound, answers: [answer]).calls.first
    }
    #expect(try sent("none")?.contains("\"sound\":\"none\"") == true)
    #expect(try sent("bell")?.contains("\"sound\":\"bell\"") == true)
    #expect(try sent("/etc/passwd")?.contains("\"sound\":\"/etc/passwd\"") == true)
    #expect(try sent("default")?.contains("sound") == false)
    let daemon = try ScriptedDaemon([answer])
    defer { daemon.end() }
    let variables = ["XDG_RUNTIME_DIR": daemon.directory, "PWD": "/etc"]
    #expect(Run.run(["schedule", "6m30s", "--sound", "./passwd"], variables: variables).status == .success)
    #expect(daemon.calls.first?.contains("\"sound\":\"/etc/passwd\"") == true)
    let edited = Self.reply("{\"alarms\":[\(Self.softOnes)],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
    let edit = try Run.eggctl("edit", "12", "--sound", "default", answers: [edited]).calls.first
    #expect(edit?.contains("\"sound\":\"\"") == true)
  }

  @Test("schedule joins words into one time")
  func scheduleWords() throws {
    let (run, calls) = try Run.eggctl(
      "schedule", "tomorrow", "07:30",
      answers: [Self.reply("{\"alarm\":\(Self.morning),\"existed\":false,\"sequence\":1}")])
    #expect(run == .said("#13  2026. 11. 21. 07:30:00  in 9 h 55 min 30 s\n"))
    #expect(calls.first?.contains("\"expression\":\"tomorrow 07:30\"") == true)
  }

  @Test("schedule --json prints the wire's alarm, -q the bare number")
  func scheduleForms() throws {
    let answer = Self.reply("{\"alarm\":\(Self.hungry),\"existed\":false,\"sequence\":1}")
    let json = try Run.eggctl("hungry", "--json", answers: [answer]).run
    #expect(
      json
        == .said(
          """
          {"category":"other","createdAt":1795210470000000,"done":false,"due":1795210475000000,"eggs":1,\
          "expression":"5s","kind":"in","number":14,"span":5000000,"state":"scheduled"}

          """))
    #expect(try Run.eggctl("hungry", "-q", answers: [answer]).run == .said("14\n"))
    #expect(try Run.eggctl("hungry", answers: [answer]).run == .said("#14  2026. 11. 20. 21:34:35  in 5 s\n"))
  }

  @Test("A key in use returns the alarm that has it, and says so")
  func existed() throws {
    let run = try Run.eggctl(
      "schedule", "6m30s", "--key", "k",
      answers: [Self.reply("{\"alarm\":\(Self.softOnes),\"existed\":true,\"sequence\":1}")]
    ).run
    #expect(run.output == "#12  2026. 11. 20. 21:41:00  in 6 min 30 s   two soft ones\n")
    #expect(run.messages == "eggctl: hint: alarm 12 already has this key; nothing was changed\n")
  }

  @Test("A label that is too long is asked for again on a terminal")
  func labelAgain() throws {
    let (run, calls) = try Run.eggctl(
      "schedule", "6m30s", "an egg that takes a very long time",
      answers: [Self.reply("{\"alarm\":\(Self.softOnes),\"existed\":false,\"sequence\":1}")],
      typed: ["two soft ones"])
    #expect(run.status == .success)
    #expect(
      run.messages == "eggctl: error: the label has 34 characters; the limit is 30\nlabel: ")
    #expect(calls.first?.contains("\"label\":\"two soft ones\"") == true)
  }

  @Test("list shows totals first, measures wide text in cells, and includes rung alarms")
  func list() throws {
    let totals = "{\"alarms\":4,\"eggs\":5,\"next\":1795210475000000}"
    let page = [Self.softOnes, Self.morning, Self.rung(7, label: "한글 🥚 \\u202etxt"), Self.hungry]
    let (run, calls) = try Run.eggctl(
      answers: [
        Self.reply("{\"alarms\":[\(page.joined(separator: ","))],\"totals\":\(totals)}")
      ])
    #expect(
      run
        == .said(
          """
          5 eggs in 4 alarms · next rings in 5 s
            #   DUE                      LEFT          STATE      EGGS  LABEL
            7   2026. 11. 20. 21:34:25                 ringing       1  한글 🥚 \\u{202e}txt
           12   2026. 11. 20. 21:41:00   6 min 30 s    scheduled     2  two soft ones
           13   2026. 11. 21. 07:30:00   9 h 55 min    scheduled     1
           14   2026. 11. 20. 21:34:35   5 s           scheduled     1

          """))
    #expect(calls.count == 1)
  }

  @Test("A list of several pages has what rings first, with --json as one document")
  func pages() throws {
    func page(_ alarm: String, after: Int?) -> String {
      let more = after.map { ",\"after\":\($0)" } ?? ""
      let flag = more.isEmpty ? "" : ",\"continues\":true"
      return "{\"parameters\":{\"alarms\":[\(alarm)],\"totals\":{\"alarms\":3,\"eggs\":3}\(more)}\(flag)}"
    }
    let answer = ScriptedDaemon.Answer.messages([
      page(Self.morning, after: 13), page(Self.hungry, after: 14),
      page(Self.rung(7, label: "rung"), after: nil),
    ])
    let (numbers, calls) = try Run.eggctl("list", "-q", answers: [answer])
    #expect(numbers == .said("7\n13\n14\n"))
    #expect(calls.count == 1 && calls[0].contains("\"more\":true"))
    #expect(try Run.eggctl("list", "--sort", "due", "-q", answers: [answer]).run == .said("13\n14\n7\n"))
    let json = try Run.eggctl("list", "--json", answers: [answer]).run
    #expect(json.output.hasPrefix("{\"alarms\":[{\"category\":\"hard\","))
    #expect(json.output.contains("\"state\":\"scheduled\",\"zone\":\"UTC\"},{\"category\":"))
    #expect(json.output.hasSuffix("}],\"totals\":{\"alarms\":3,\"eggs\":3}}\n"))
  }

  @Test("An empty list says how to begin")
  func empty() throws {
    let answer = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":0,\"eggs\":0}}")
    let run = try Run.eggctl("list", answers: [answer]).run
    #expect(run.output == "no alarms yet\n")
    #expect(run.messages == "eggctl: hint: eggctl schedule 6m30s \"two soft ones\"\n")
    let json = try Run.eggctl("list", "--json", answers: [answer]).run
    #expect(json == .said("{\"alarms\":[],\"totals\":{\"alarms\":0,\"eggs\":0}}\n"))
    #expect(try Run.eggctl("list", "-q", answers: [answer]).run == .said(""))
  }

  @Test("next shows the earliest alarm, or says that there is none")
  func next() throws {
    let some = Self.reply("{\"alarms\":[\(Self.hungry)],\"totals\":{\"alarms\":1,\"eggs\":1}}")
    let none = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":0,\"eggs\":0}}")
    #expect(try Run.eggctl("next", answers: [some]).run == .said("#14  2026. 11. 20. 21:34:35  in 5 s\n"))
    #expect(try Run.eggctl("next", answers: [none]).run == .said("no alarm is waiting\n"))
    #expect(try Run.eggctl("next", "--json", answers: [none]).run == .said("{}\n"))
  }

  @Test("show gives everything about an alarm")
  func show() throws {
    let occurrence = """
      {"id":1795210465000000,"dueAt":1795210465000000,"outcome":"rung","firedAt":1795210468000000,\
      "shownAt":1795210468000100,"lateness":3000000,"lateReason":"down"}
      """
    let (run, calls) = try Run.eggctl(
      "show", "12",
      answers: [Self.reply("{\"alarm\":\(Self.softOnes),\"occurrences\":[\(occurrence)]}")])
    #expect(
      run
        == .said(
          """
          #12  2026. 11. 20. 21:41:00  in 6 min 30 s   two soft ones
          state    scheduled
          entered  6m30s
          kind     in 6min 30s
          eggs     2, soft
          created  2026. 11. 20. 21:34:30
          id       d9428888-122b-4f13-8f3f-3e0c6c1f0b7a
          rung     2026. 11. 20. 21:34:25, 3 s late: eggd was not running

          """))
    #expect(calls.first?.contains("\"number\":12") == true)
  }

  @Test("edit takes alarms, then a time")
  func edit() throws {
    let answer = Self.reply(
      "{\"alarms\":[\(Self.softOnes)],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
    let before = Self.reply("{\"alarm\":\(Self.softOnes),\"occurrences\":[]}")
    let (run, calls) = try Run.eggctl("edit", "12", "6m", "30s", "--eggs", "2", answers: [before, answer])
    #expect(run == .said("#12  2026. 11. 20. 21:41:00  in 6 min 30 s   two soft ones\n"))
    let call = try #require(calls.last)
    for member in ["\"numbers\":[12]", "\"expression\":\"6m 30s\"", "\"eggs\":2"] {
      #expect(call.contains(member))
    }
  }

  @Test("edit says which rule a time that rings once takes the place of")
  func editOnce() throws {
    let daily = Self.softOnes.replacing(
      "\"kind\":\"in\"", with: "\"kind\":\"every\",\"calendarEvent\":\"Mon..Fri *-*-* 07:30:00\"")
    let before = Self.reply("{\"alarm\":\(daily),\"occurrences\":[]}")
    let answer = Self.reply(
      "{\"alarms\":[\(Self.softOnes)],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
    let run = try Run.eggctl("edit", "12", "6m30s", answers: [before, answer]).run
    #expect(
      run.messages == "eggctl: hint: #12 no longer rings every Mon–Fri 07:30; eggctl undo takes it back\n")
    let time = try Run.eggctl("edit", "12", "8:15", answers: [before, answer]).run
    #expect(
      time.messages == """
        eggctl: hint: #12 no longer rings every Mon–Fri 07:30; eggctl undo takes it back; for another time of day: \
        eggctl edit 12 every Mon–Fri 8:15

        """)
    #expect(try Run.eggctl("edit", "12", "6m30s", "-q", answers: [answer]).run == .said("12\n"))
  }

  @Test("delete deletes alarms that exist, names those that do not, and then exits with 1")
  func delete() throws {
    let answer = Self.reply(
      "{\"count\":2,\"deleted\":[3,4],\"rang\":[4],\"missing\":[99],\"missingIds\":[],\"sequence\":2}")
    let run = try Run.eggctl("delete", "3", "4", "99", answers: [answer]).run
    #expect(run.status == .refused)
    #expect(run.output == "deleted #3, #4 · had already rung: #4\n")
    #expect(run.messages == "eggctl: error: there is no alarm 99\neggctl: hint: eggctl list\n")
    #expect(try Run.eggctl("delete", "3", "4", "99", "-q", answers: [answer]).run.output == "3\n4\n")
  }

  @Test("delete --all asks on a terminal, and accepts no as an answer")
  func deleteAll() throws {
    let count = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":3,\"eggs\":4}}")
    let gone = Self.reply(
      "{\"count\":3,\"deleted\":[1,2,3],\"rang\":[],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
    let yes = try Run.eggctl("delete", "--all", answers: [count, gone], typed: ["y"])
    #expect(yes.run == Run(status: .success, output: "deleted #1-3\n", messages: "delete 3 alarms? [y/N] "))
    let no = try Run.eggctl("delete", "--all", answers: [count, gone], typed: [""])
    #expect(no.run.status == .refused)
    #expect(no.run.messages == "delete 3 alarms? [y/N] eggctl: error: nothing was changed\n")
    #expect(no.calls.count == 1)
    let none = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":0,\"eggs\":0}}")
    let nothing = Self.reply(
      "{\"count\":0,\"deleted\":[],\"rang\":[],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
    let empty = try Run.eggctl("delete", "--all", answers: [none, nothing], typed: [])
    #expect(empty.run == .said("nothing to delete\n"))
    #expect(try Run.eggctl("delete", "--all", "-y", answers: [count, gone]).run == .said("deleted #1-3\n"))
    let many = Self.reply(
      "{\"count\":10003,\"deleted\":[1,2,3],\"rang\":[],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
    #expect(
      try Run.eggctl("delete", "--all", "-y", answers: [count, many]).run
        == .said("deleted #1-3 and 10000 more\n"))
  }

  @Test("dismiss and snooze show the changed alarms")
  func ringing() throws {
    func reply(_ alarm: String) -> ScriptedDaemon.Answer {
      Self.reply("{\"alarms\":[\(alarm)],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
    }
    let snoozed = """
      {"number":7,"state":"snoozed","done":false,"category":"hard","eggs":1,"label":"eggs",\
      "due":1795211070000000,"modifiedAt":1795200000000000}
      """
    let (run, calls) = try Run.eggctl("snooze", "7", "10m", answers: [reply(snoozed)])
    #expect(run == .said("#7  2026. 11. 20. 21:44:30  in 10 min, snoozed   eggs\n"))
    #expect(calls.first?.contains("\"span\":600000000") == true)
    let over = Self.rung(7, label: "eggs").replacing("ringing", with: "rung")
    let count = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":3,\"eggs\":4}}")
    let dismissed = try Run.eggctl("dismiss", "--all", answers: [count, reply(over)])
    #expect(dismissed.run == .said("#7  2026. 11. 20. 21:34:25  rung   eggs\n"))
    #expect(dismissed.calls.last?.contains("\"all\":true") == true)
    #expect(
      try Run.eggctl("dismiss", "--all", answers: [count, reply("")]).run == .said("no alarm is ringing\n"))
  }

  @Test("history is latest first, page by page")
  func history() throws {
    func page(_ number: Int, before: String) -> ScriptedDaemon.Answer {
      Self.reply(
        """
        {"past":[{"number":\(number),"label":"한글","occurrence":{"id":9,"dueAt":1795210465000000,\
        "outcome":"rung","lateness":3000000,"lateReason":"asleep"}}]\(before)}
        """)
    }
    let (run, calls) = try Run.eggctl(
      "history", answers: [page(7, before: ",\"before\":9"), page(3, before: "")])
    #expect(
      run
        == .said(
          """
            #   DUE                      OUTCOME    LABEL             LATE
            7   2026. 11. 20. 21:34:25   rung       한글              3 s late: the machine was asleep
            3   2026. 11. 20. 21:34:25   rung       한글              3 s late: the machine was asleep

          """))
    #expect(calls.last?.contains("\"before\":9") == true)
    let narrow = try Run.eggctl("history", answers: [page(7, before: "")], columns: 62).run
    #expect(
      narrow.output.split(separator: "\n").last
        == "  7   2026. 11. 20. 21:34:25   rung       한글              3…")
    let narrowest = try Run.eggctl("history", answers: [page(7, before: "")], columns: 40).run
    #expect(
      narrowest.output.split(separator: "\n").last == "  7  11. 20. 21:34  rung       한글    …")
  }

  @Test("A ring in whose place the next one came was dismissed by nobody")
  func replacedRing() throws {
    let moment = 1_795_210_475_000_000
    func ring(_ offset: Int, dismissed: Int) -> String {
      """
      {"id":\(moment + offset),"dueAt":\(moment + offset),"outcome":"rung","firedAt":\(moment + offset),\
      "dismissedAt":\(moment + dismissed)}
      """
    }
    func past(_ ring: String) -> String { "{\"number\":7,\"occurrence\":\(ring)}" }
    let (last, first) = (ring(2_000_000, dismissed: 3_000_000), ring(0, dismissed: 2_000_000))
    let reply = "{\"past\":[\(past(last)),\(past(first))]}"
    let history = try Run.eggctl("history", answers: [.reply(reply)]).run
    #expect(
      history.output.split(separator: "\n").dropFirst().map { $0.contains("dismissed") } == [true, false])
  }

  @Test("history marks deleted alarms, and forgets them with --prune")
  func deletedHistory() throws {
    let answer = Self.reply(
      """
      {"past":[{"number":7,"occurrence":{"id":9,"dueAt":1795210465000000,"outcome":"rung"},\
      "deletedAt":1795210466000000}]}
      """)
    #expect(
      try Run.eggctl("history", answers: [answer]).run
        == .said(
          """
            #   DUE                      OUTCOME        LABEL             LATE
            7   2026. 11. 20. 21:34:25   rung, deleted

          """))
    let forgot = Self.reply("{\"count\":3,\"sequence\":9}")
    let (run, calls) = try Run.eggctl(
      "history", "7", "--prune", "--before", "2026-11-01 12:00", answers: [forgot])
    #expect(run == .said("forgot 3 occurrences of deleted alarms\n"))
    #expect(calls.last?.contains("\"number\":7") == true)
    #expect(calls.last?.contains("\"deletedBefore\":1793534400000000") == true)
  }

  @Test("status names loginctl enable-linger if lingering is off")
  func status() throws {
    let answer = Self.reply(
      """
      {"version":"0.1.0","pid":42,"startedAt":1795206870000000,"now":1795210470000000,"sequence":7,\
      "totals":{"alarms":1,"eggs":1},"desktop":"shown","server":"dunst 1.9","journal":true,\
      "disk":"readOnly","database":"/home/egg/.local/state/eggd/schedule.db","zone":"UTC","connections":1,\
      "linger":false,"sound":"nobody","silence":"libcanberra0 is not installed"}
      """)
    #expect(
      try Run.eggctl("status", answers: [answer]).run
        == .said(
          """
          eggd       0.1.0, process 42, running for 1 h
          schedule   1 egg in 1 alarm · nothing to come
          desktop    dunst 1.9 shows notifications
          sound      rings are not heard: libcanberra0 is not installed
          journal    journald accepts entries
          database   /home/egg/.local/state/eggd/schedule.db (read-only; alarms ring, changes are refused)
          zone       UTC
          lingering  off: eggd ends when you log out; to keep it running: loginctl enable-linger

          """))
    let ringing = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":2,\"eggs\":5}}")
    let (run, calls) = try Run.eggctl("status", answers: [answer, ringing])
    #expect(run.output.contains("nothing to come\nringing    2 alarms\ndesktop"))
    #expect(calls.last?.contains("\"states\":[\"ringing\"]") == true)
  }
}
