import Foundation
import Testing
import Varlink

@testable import EggCommands

@Suite("Export and import")
struct ExchangeTests {
  private static let softOnes = """
    {"number":12,"state":"scheduled","done":false,"category":"soft","eggs":2,"due":1795210860000000,\
    "label":"two soft ones","expression":"6m30s","kind":"in","span":390000000,\
    "id":"d9428888-122b-4f13-8f3f-3e0c6c1f0b7a","createdAt":1795210470000000}
    """
  private static let rung = """
    {"number":13,"state":"rung","done":false,"category":"other","eggs":1,"expression":"5s","kind":"in",\
    "span":5000000,"id":"d9428888-122b-4f13-8f3f-3e0c6c1f0b7b","createdAt":1795210470000000,\
    "latest":{"id":1795210475000000,"dueAt":1795210475000000,"outcome":"rung"}}
    """

  private static func reply(_ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":\(parameters)}"])
  }

  /// Imports a file with this text.
  private static func imported(
    _ text: String, _ options: [String] = [], answers: [ScriptedDaemon.Answer] = []
  ) throws -> (run: Run, calls: [String]) {
    let file = FileManager.default.temporaryDirectory.appending(path: "eggs-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let daemon = try ScriptedDaemon(answers)
    defer { daemon.end() }
    let run = Run.run(["import", file.path] + options, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    return (run, daemon.calls)
  }

  @Test(
    "Each group, days off and each alarm with its past are exported as one line, and imported unchanged"
  )
  func lines() throws {
    let (run, calls) = try Run.eggctl(
      "export",
      answers: [
        Self.reply(
          "{\"groups\":[{\"name\":\"Sunday\",\"color\":\"cyan\",\"alarms\":2,\"done\":1,\"eggs\":3}]}"),
        Self.reply(#"{"daysOff":[{"name":"trip","count":2,"alarms":0}]}"#),
        Self.reply(
          #"{"daysOff":[{"name":"trip","count":2,"alarms":0,"days":["2026-12-24..2026-12-25"]}]}"#),
        Self.reply("{\"alarms\":[\(Self.softOnes),\(Self.rung)],\"totals\":{\"alarms\":2,\"eggs\":3}}"),
        Self.reply(
          """
          {"alarm":\(Self.rung),"occurrences":[\
          {"id":1795210475000000,"dueAt":1795210475000000,"outcome":"rung","firedAt":1795210475000010},\
          {"id":1795210465000000,"dueAt":1795210465000000,"outcome":"missed"}]}
          """),
      ])
    #expect(run.messages == "")
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4)
    #expect(lines[0] == #"{"group":{"alarms":0,"color":"cyan","done":0,"eggs":0,"name":"Sunday"}}"#)
    #expect(
      lines[1] == #"{"daysOff":{"alarms":0,"count":2,"days":["2026-12-24..2026-12-25"],"name":"trip"}}"#)
    #expect(lines[2].contains("\"label\":\"two soft ones\""))
    #expect(lines[3].contains("\"missed\""))
    #expect(calls.map { $0.contains("Show") } == [false, false, false, false, true])

    let (again, sent) = try Self.imported(
      run.output,
      answers: [
        Self.reply("{\"staged\":0,\"refused\":[]}"),
        Self.reply("{\"staged\":0,\"refused\":[]}"),
        Self.reply("{\"staged\":2,\"refused\":[]}"),
        Self.reply("{\"count\":1,\"existed\":1,\"missed\":1,\"sequence\":4}"),
      ])
    #expect(again == .said("imported 1 alarm · 1 already there · 1 already past, so missed\n"))
    #expect(sent.count == 4)
    #expect(sent.first?.contains("\"color\":\"cyan\"") == true)
    #expect(sent.dropFirst().first?.contains("\"days\":[\"2026-12-24..2026-12-25\"]") == true)
    #expect(sent.dropFirst(2).first?.contains("\"outcome\":\"missed\"") == true)
  }

  @Test("Bad lines are named, and nothing is imported")
  func badLines() throws {
    let text = "\(#"{"alarm":{"number":1}}"#)\n\nno json\n[1,2]\n{}\n{\"alarm\":\(Self.softOnes)}\n"
    let (run, calls) = try Self.imported(
      text, answers: [Self.reply("{\"staged\":0,\"refused\":[{\"index\":0,\"field\":\"label\"}]}")])
    #expect(run.status == .usage)
    #expect(
      run.messages.hasPrefix(
        """
        eggctl: line 1: cannot be imported: not an alarm: 'alarm.state' is missing
        eggctl: line 3: cannot be imported: not a JSON object
        eggctl: line 4: cannot be imported: not a JSON object
        eggctl: line 5: cannot be imported: neither an alarm nor a group nor days off
        eggctl: line 6: cannot be imported: eggd does not accept the value of 'label'
        eggctl: error: nothing was imported: 5 entries cannot be imported
        eggctl: hint: eggctl import 
        """))
    #expect(!calls.contains { $0.contains("CommitImport") })
  }

  /// Counts fields and elements as eggd does.
  private static func values(in json: Any) -> Int {
    switch json {
    case let object as [String: Any]: object.values.reduce(object.count) { $0 + values(in: $1) }
    case let array as [Any]: array.reduce(array.count) { $0 + values(in: $1) }
    default: 0
    }
  }

  @Test("Alarms with long histories are split into calls that eggd accepts, in order")
  func longHistories() throws {
    let past = (0..<100).map { index in
      let moment = 1_795_210_465_000_000 - index * 86_400_000_000
      return """
        {"id":\(moment),"dueAt":\(moment),"outcome":"rung","firedAt":\(moment + 10),\
        "journaledAt":\(moment + 20),"shownAt":\(moment + 30),"dismissedAt":\(moment + 40),"lateness":10}
        """
    }
    let lines = (1...100).map { number in
      let alarm = Self.softOnes.replacingOccurrences(of: "\"number\":12", with: "\"number\":\(number)")
      return "{\"alarm\":\(alarm),\"occurrences\":[\(past.joined(separator: ","))]}\n"
    }
    let groups = (1...3_000).map { number in
      "{\"group\":{\"name\":\"group \(number)\",\"alarms\":0,\"done\":0,\"eggs\":0}}\n"
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "eggs-\(UUID().uuidString)")
    try Data((groups + lines).joined().utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let daemon = try ScriptedDaemon { call in
      guard call.contains("CommitImport") else { return Self.reply("{\"staged\":1,\"refused\":[]}") }
      return Self.reply("{\"count\":100,\"existed\":0,\"missed\":0,\"sequence\":4}")
    }
    defer { daemon.end() }
    let run = Run.run(["import", file.path], variables: ["XDG_RUNTIME_DIR": daemon.directory])
    #expect(run == .said("imported 100 alarms\n"))

    let staged = try daemon.calls.dropLast().map { call in
      let message = try JSONSerialization.jsonObject(with: Data(call.utf8)) as? [String: Any]
      return try #require(message?["parameters"] as? [String: Any])
    }
    #expect(daemon.calls.allSatisfy { $0.utf8.count <= ServerLimits.standard.messageBytes })
    #expect(staged.allSatisfy { Self.values(in: $0) <= ServerLimits.standard.valuesPerCall })
    let alarms = staged.flatMap { $0["alarms"] as? [[String: Any]] ?? [] }
    #expect(alarms.compactMap { ($0["alarm"] as? [String: Any])?["number"] as? Int } == Array(1...100))
    #expect(alarms.allSatisfy { ($0["occurrences"] as? [Any])?.count == 100 })
    #expect(staged.reduce(0) { $0 + (($1["groups"] as? [Any])?.count ?? 0) } == 3_000)
  }

  @Test("An alarm too large for a call is named by its line")
  func tooLarge() throws {
    let past = "{\"id\":1,\"dueAt\":1,\"outcome\":\"rung\"}"
    let line =
      "{\"alarm\":\(Self.softOnes),\"occurrences\":[\(repeatElement(past, count: 5_000).joined(separator: ","))]}"
    let (run, calls) = try Self.imported(line)
    #expect(run.messages.hasPrefix("eggctl: line 1: cannot be imported: it is too large for eggd\n"))
    #expect(run.status == .usage)
    #expect(calls.isEmpty)
  }

  @Test("--skip-bad imports the good lines")
  func skipBad() throws {
    let (run, calls) = try Self.imported(
      "xx\n{\"alarm\":\(Self.softOnes)}", ["--skip-bad", "--group", "Sunday"],
      answers: [
        Self.reply("{\"staged\":1,\"refused\":[]}"),
        Self.reply("{\"count\":1,\"existed\":0,\"missed\":0,\"sequence\":4}"),
      ])
    #expect(run.output == "imported 1 alarm\n")
    #expect(run.messages == "eggctl: line 1: cannot be imported: not a JSON object\n")
    #expect(calls.first?.contains("\"group\":\"Sunday\"") == true)
  }

  @Test(
    "A calendar is recognised by its beginning; entries that no alarm can follow are named by their lines")
  func calendar() throws {
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VEVENT
      SUMMARY:dentist
      DTSTART;TZID=Europe/Paris:20270105T090000
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT15M
      END:VALARM
      END:VEVENT
      BEGIN:VEVENT
      SUMMARY:swim
      DTSTART:20270105T090000
      RRULE:FREQ=DAILY;BYYEARDAY=6
      END:VEVENT
      END:VCALENDAR

      """.replacingOccurrences(of: "\n", with: "\r\n")
    let answers = [
      Self.reply("{\"staged\":1,\"refused\":[]}"),
      Self.reply("{\"count\":1,\"existed\":0,\"missed\":0,\"sequence\":4}"),
    ]
    let (run, calls) = try Self.imported(text, ["--skip-bad"], answers: answers)
    #expect(run.output == "imported 1 alarm\n")
    #expect(
      run.messages
        == "eggctl: line 14: cannot be imported: 'swim': FREQ=DAILY does not allow BYYEARDAY\n")
    let document = try Self.imported(text, ["--skip-bad", "--json"], answers: answers).run
    #expect(
      document.output == """
        {"count":1,"existed":0,"missed":0,"sequence":4,"skipped":[{"line":14,"reason":"'swim': FREQ=DAILY does \
        not allow BYYEARDAY"}]}

        """)
    for member in [
      "\"civil\":\"2027-01-05 09:00:00\"", "\"leads\":[\"15min\"]", "\"zone\":\"Europe/Paris\"",
      "\"floats\":false",
      "\"label\":\"dentist\"", "\"number\":0",
    ] {
      #expect(calls.first?.contains(member) == true, "\(member)")
    }
    #expect(try Self.imported(text, answers: answers).run.status == .usage)
  }

  @Test("Entries keep their order, and their identities at another import; two with one UID are two alarms")
  func identities() throws {
    func entry(_ uid: String, _ lines: String...) -> String {
      (["BEGIN:VEVENT", "UID:\(uid)", "SUMMARY:\(uid.prefix(13))", "DTSTART:20270105T090000Z"] + lines + [
        "END:VEVENT"
      ])
      .joined(separator: "\r\n")
    }
    let entries = [
      entry("weekly", "RRULE:FREQ=WEEKLY"), entry("a@example.org"), entry("a@example.org"),
      entry("b@example.org", "RECURRENCE-ID:20270104T090000Z"),
      entry("b@example.org", "RECURRENCE-ID:20270106T090000Z"), entry("D9428888-122b-4f13-8f3f-3e0c6c1f0b7a"),
      entry("hourly", "RRULE:FREQ=HOURLY;COUNT=3"), entry("last"),
    ]
    let text = "BEGIN:VCALENDAR\r\n\(entries.joined(separator: "\r\n"))\r\nEND:VCALENDAR\r\n"
    func alarms() throws -> [[String: Any]] {
      let answers = [
        Self.reply("{\"staged\":8,\"refused\":[]}"),
        Self.reply("{\"count\":8,\"existed\":0,\"missed\":0,\"sequence\":4}"),
      ]
      let call = try #require(try Self.imported(text, answers: answers).calls.first)
      let message = try JSONSerialization.jsonObject(with: Data(call.utf8)) as? [String: Any]
      let items = (message?["parameters"] as? [String: Any])?["alarms"] as? [[String: Any]]
      return try #require(items).compactMap { $0["alarm"] as? [String: Any] }
    }
    let (first, second) = (try alarms(), try alarms())
    #expect(
      first.compactMap { $0["label"] as? String } == [
        "weekly", "a@example.org", "a@example.org", "b@example.org", "b@example.org",
        "D9428888-122b", "hourly", "last",
      ])
    let ids = first.compactMap { $0["id"] as? String }
    #expect(ids == second.compactMap { $0["id"] as? String } && Set(ids).count == 8)
    #expect(ids[1] == Digest.identity(of: "a@example.org")?.description)
    #expect(ids[5] == "d9428888-122b-4f13-8f3f-3e0c6c1f0b7a")
  }

  @Test("The same note on many entries is printed once, with their number")
  func notes() throws {
    func entry(_ number: Int, _ property: String = "") -> String {
      "BEGIN:VEVENT\r\nSUMMARY:day \(number)\r\nDTSTART;VALUE=DATE:20270105\r\n\(property)END:VEVENT\r\n"
    }
    let days = (1...500).map { entry($0) }.joined()
    let long = "DESCRIPTION:\(String(repeating: "x", count: 1_001))\r\n"
    let text = "BEGIN:VCALENDAR\r\n\(days)\(entry(501, long))END:VCALENDAR\r\n"
    let daemon = try ScriptedDaemon { call in
      Self.reply(
        call.contains("CommitImport")
          ? "{\"count\":501,\"existed\":0,\"missed\":0,\"sequence\":4}" : "{\"staged\":100,\"refused\":[]}")
    }
    defer { daemon.end() }
    let file = FileManager.default.temporaryDirectory.appending(path: "days-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let run = Run.run(["import", file.path], variables: ["XDG_RUNTIME_DIR": daemon.directory])
    #expect(run.output == "imported 501 alarms\n")
    #expect(
      run.messages == """
        eggctl: line 2 and 500 others: it has no time of day; it rings at 09:00
        eggctl: line 2002: its text was cut to the length of a notification's body

        """)
  }

  @Test("Twenty different notes are printed, and the number of further ones")
  func manyNotes() throws {
    var (notes, told) = (Notes(), "")
    for number in 1...25 { notes.add("note \(number)", of: "line \(number)") }
    try notes.tell(Output(colours: (false, false)) { told += $1 })
    #expect(told.split(separator: "\n").count == 21)
    #expect(told.hasSuffix("eggctl: line 20: note 20\neggctl: and 5 more\n"))
  }

  @Test("An empty file imports nothing; a missing file is an error")
  func nothing() throws {
    let answers = [Self.reply("{\"count\":0,\"existed\":0,\"missed\":0,\"sequence\":4}")]
    #expect(try Self.imported("", answers: answers).run == .said("imported 0 alarms\n"))
    #expect(
      Run.run(["import", "/nonexistent/file"], variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
        == .failed(
          .usage,
          "eggctl: error: cannot read /nonexistent/file: No such file or directory\neggctl: hint: eggctl help import\n"
        ))
  }

  @Test("--format ics prints a calendar; what it cannot show is reported on standard error")
  func exportCalendar() throws {
    let over = """
      {"number":14,"state":"skipped","done":false,"category":"other","eggs":1,"expression":"5s","kind":"in",\
      "span":5000000,"id":"d9428888-122b-4f13-8f3f-3e0c6c1f0b7c","createdAt":1795210470000000}
      """
    let run = try Run.eggctl(
      "export", "--format", "ics",
      answers: [Self.reply("{\"alarms\":[\(Self.softOnes),\(over)],\"totals\":{\"alarms\":2,\"eggs\":3}}")]
    ).run
    #expect(run.output.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"))
    #expect(run.output.hasSuffix("END:VEVENT\r\nEND:VCALENDAR\r\n"))
    #expect(run.output.contains("\r\nDTSTART:20261120T214100Z\r\n"))
    #expect(
      run.messages
        == "eggctl: alarm 14: it is skipped and has no moment to show\n")
  }

  @Test("Sound, repetition, waking, a pause and skipped times pass through a calendar")
  func manner() throws {
    func alarm(_ number: Int, _ members: String) -> String {
      """
      {"number":\(number),"done":false,"category":"other","eggs":1,"expression":"6m30s",\
      "id":"d9428888-122b-4f13-8f3f-3e0c6c1f0b\(number)","createdAt":1795210470000000,\(members)}
      """
    }
    let at = "\"dueAt\":1795210860000000,\"id\":1795210860000000,\"outcome\":\"skipped\""
    let loud = alarm(
      21,
      #""state":"scheduled","kind":"in","span":390000000,"due":1795210860000000,"sound":"bell","insist":60000000,"wake":true"#
    )
    let paused = alarm(22, #""state":"paused","kind":"in","span":390000000,"remaining":300000000"#)
    let skipped = alarm(23, "\"state\":\"skipped\",\"kind\":\"in\",\"span\":390000000,\"latest\":{\(at)}")
    let every = alarm(
      24,
      "\"state\":\"scheduled\",\"kind\":\"every\",\"calendarEvent\":\"*-*-* 21:41:00\",\"zone\":\"UTC\","
        + "\"floats\":false,\"due\":1795297260000000,\"latest\":{\(at)}")
    let list = [loud, paused, skipped, every].joined(separator: ",")
    let exported = try Run.eggctl(
      "export", "--format", "ics",
      answers: [
        Self.reply("{\"alarms\":[\(list)],\"totals\":{\"alarms\":4,\"eggs\":4}}"),
        Self.reply("{\"alarm\":\(skipped),\"occurrences\":[{\(at)}]}"),
        Self.reply("{\"alarm\":\(every),\"occurrences\":[{\(at)}]}"),
      ]
    ).run
    #expect(exported.messages == "")
    #expect(exported.output.split(separator: "\r\n").filter { $0.hasPrefix("ACTION:") }.count == 2)
    let (_, calls) = try Self.imported(
      exported.output,
      answers: [
        Self.reply("{\"staged\":4,\"refused\":[]}"),
        Self.reply("{\"count\":4,\"existed\":0,\"missed\":0,\"sequence\":4}"),
      ])
    for member in [
      "\"sound\":\"bell\"", "\"insist\":60000000", "\"wake\":true", "\"state\":\"paused\"",
      "\"remaining\":300000000", "\"state\":\"skipped\"", "\"outcome\":\"skipped\"",
      "\"due\":1795297260000000",
    ] {
      #expect(calls.first?.contains(member) == true, "\(member)")
    }
  }
}
