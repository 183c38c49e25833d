import EggProtocol
import EggTime
import Testing
import Varlink

@testable import EggCommands

@Suite("Settings, and the format of dates")
struct ConfigVerbTests {
  private static func reply(_ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":\(parameters)}"])
  }

  private static let settings = """
    [{"key":"snooze","value":"10min","source":"commandLine"},\
    {"key":"title","value":"Up!","source":"file","line":3},{"key":"group","source":"default"}]
    """

  @Test("config shows each setting and where it is set; reload does too", arguments: ["config", "reload"])
  func config(verb: String) throws {
    let answer = Self.reply("{\"file\":\"/h/config.toml\",\"settings\":\(Self.settings)}")
    #expect(
      try Run.eggctl(verb, answers: [answer]).run
        == .said(
          """
          KEY     VALUE         SET BY
          snooze  10min         eggd --snooze
          title   Up!           /h/config.toml:3
          group                 default

          """))
    let (json, calls) = try Run.eggctl(verb, "--json", answers: [answer])
    #expect(json.output.contains("\"line\":3"))
    #expect(calls.first?.contains("Schedule.\(verb.capitalized)\"") == true)
  }

  private static let timers = """
    {"file":"/c","settings":[{"key":"timers.tea","value":"4m","source":"file","line":2},\
    {"key":"timers.pasta.time","value":"9m","source":"file","line":3},\
    {"key":"timers.pasta.label","value":"al dente","source":"file","line":3},\
    {"key":"timers.pasta.insist","value":"2m","source":"file","line":3},\
    {"key":"timers.list","value":"1m","source":"file","line":4}]}
    """

  private static let mistaken = """
    {"file":"/c","settings":[],"mistake":{"file":"/c","line":2,"column":1,"key":"snooze","reason":"takes a span"}}
    """

  private func sent(_ words: String...) -> [String: String] {
    let answer = ScriptedDaemon.Answer.reply(
      #"{"alarm":{"number":1,"state":"scheduled","done":false,"category":"other","eggs":1},"existed":false,"sequence":1}"#
    )
    guard
      let daemon = try? ScriptedDaemon(answering: { call in
        call.contains(".Config\"")
          ? Self.reply(Self.timers) : call.contains("Schedule.Schedule\"") ? answer : .hangUp
      })
    else { return [:] }
    _ = Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    daemon.end()
    let call = daemon.calls.last { $0.contains("Schedule.Schedule\"") } ?? ""
    var found: [String: String] = [:]
    for field in ["expression", "label", "insist", "category"] {
      if let match = call.firstRange(of: "\"\(field)\":") {
        found[field] = String(call[match.upperBound...].prefix { $0 != "," && $0 != "}" })
          .replacing("\"", with: "")
      }
    }
    return found
  }

  @Test("The name of a timer stands for its time and its options; what is given wins")
  func timer() {
    #expect(sent("schedule", "tea") == ["expression": "4m", "label": "tea"])
    #expect(sent("tea") == ["expression": "4m", "label": "tea"])
    #expect(
      sent("tea", "jasmine", "--category", "soft") == [
        "expression": "4m", "label": "jasmine", "category": "soft",
      ])
    #expect(sent("pasta") == ["expression": "9m", "label": "al dente", "insist": "120000000"])
    #expect(
      sent("schedule", "pasta", "--label", "mine", "--insist", "1m")
        == ["expression": "9m", "label": "mine", "insist": "60000000"])
    // What reads as a time is one, and a command is one.
    #expect(sent("schedule", "tea", "10m") == ["expression": "10m", "label": "tea"])
    #expect(sent("schedule", "list") == ["expression": "1m", "label": "list"])
    #expect(sent("list") == [:])
  }

  @Test("The help of a timer is that of schedule")
  func helpTimer() throws {
    let daemon = try ScriptedDaemon(answering: { _ in Self.reply(Self.timers) })
    defer { daemon.end() }
    func help(_ word: String) -> Run {
      Run.run(["help", word], variables: ["XDG_RUNTIME_DIR": daemon.directory])
    }
    #expect(help("tea") == help("schedule") && help("tea").status == .success)
    #expect(help("tee").status == .usage)
  }

  @Test(
    "While config.toml has a mistake, a name that may be one of its timers is refused with the place",
    arguments: [["tea"], ["help", "tea"], ["schedule", "tea"]])
  func timerOfMistake(words: [String]) throws {
    let daemon = try ScriptedDaemon(answering: { _ in Self.reply(Self.mistaken) })
    defer { daemon.end() }
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    #expect(run.status == .usage)
    #expect(run.messages.hasPrefix("eggctl: the file is not used: /c:2:1: snooze takes a span\n"), "\(run)")
  }

  @Test("Timers are completed, as a command and as a time")
  func completedTimers() throws {
    func offered(_ words: String...) throws -> [String] {
      let daemon = try ScriptedDaemon(answering: { _ in Self.reply(Self.timers) })
      defer { daemon.end() }
      let run = Run.run(["complete-words"] + words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
      return run.output.split(separator: "\n").map(String.init)
    }
    #expect(try offered("schedule", "").dropFirst() == ["tea\t4m", "pasta\t9m", "list\t1m"])
    #expect(try offered("schedule", "tea", "").dropFirst().isEmpty)
    #expect(try offered("").suffix(3) == ["tea\t4m", "pasta\t9m", "list\t1m"])
  }

  @Test("config says why the file is not used")
  func mistake() throws {
    #expect(
      try Run.eggctl("config", answers: [Self.reply(Self.mistaken)]).run.messages
        == "eggctl: the file is not used: /c:2:1: snooze takes a span\n")
  }

  @Test("A reload that is refused names the place")
  func refused() throws {
    let answer = ScriptedDaemon.Answer.messages([
      """
      {"error":"io.eggd.Schedule.InvalidConfiguration","parameters":{"file":"/c","line":2,"column":7,\
      "reason":"cannot read the string"}}
      """
    ])
    #expect(
      try Run.eggctl("reload", answers: [answer]).run
        == .failed(
          .refused,
          """
          eggctl: error: /c:2:7: cannot read the string
          eggctl: hint: the earlier settings hold: eggctl config shows them

          """))
  }

  private static let listed = reply(
    """
    {"alarms":[{"number":7,"state":"scheduled","done":false,"category":"other","eggs":1,"due":1795210860000000,\
    "label":"tea"}],"totals":{"alarms":1,"eggs":1,"next":1795210860000000}}
    """)

  @Test(
    "list fits the format of dates, shortened on a narrow terminal",
    arguments: [
      ("dotted", 100, "   7   2026. 11. 20. 21:41:00   6 min 30 s    scheduled     1  tea"),
      ("iso", 100, "   7   2026-11-20T21:41:00+00:00   6 min 30 s    scheduled     1  tea"),
      ("iso", 60, "   7   11-20 21:41:00   6 min 30 s    scheduled     1  tea"),
      ("iso", 55, "  7  11-20 21:41  6 min 30 s   scheduled     1  tea"),
    ])
  func list(format: String, columns: Int, line: String) throws {
    let run = try Run.eggctl(
      "list", "--date-format", format, answers: [Self.listed], columns: columns
    ).run
    #expect(run.output.split(separator: "\n").last.map { $0.drop { $0 == " " } } == line.drop { $0 == " " })
  }

  @Test("An unknown format of dates is a usage error")
  func unknown() {
    let run = Run.alone("now", "--date-format", "us")
    #expect(run.status == .usage)
    #expect(Run.alone("now", "--date-format", "iso") == .said("2026-11-20T21:34:30+00:00\n"))
  }

  @Test("eggd is asked for the format once, and only when a moment is shown")
  func asked() {
    var asked = 0
    let dates = DateStyle {
      asked += 1
      return Self.iso
    }
    let moments = Moments(zone: .utc, now: Run.now, dates: dates)
    #expect(moments.time(Run.now) == "21:34")
    #expect(asked == 0)
    #expect(moments.text(Run.now) == "2026-11-20T21:34:30+00:00")
    #expect(moments.text(Run.now, as: .withoutYear) == "11-20 21:34:30")
    #expect(moments.text(Run.now - .seconds(200 * 86_400), as: .withoutYear) == "2026-05-04")
    #expect(asked == 1)
  }

  @Test("The format that eggd's configuration names is used, and dotted where eggd does not tell")
  func configured() throws {
    func format(_ answer: ScriptedDaemon.Answer) throws -> DateFormat {
      let daemon = try ScriptedDaemon([answer])
      defer { daemon.end() }
      let output = Output(colours: (false, false)) { _, _ in }
      let surroundings = Surroundings.test(output: output, directory: daemon.directory)
      return DateStyle(ask: surroundings.configuration).format.format
    }
    #expect(try format(Self.reply(JSON.text(Self.iso))) == .iso)
    #expect(try format(Self.reply("{\"settings\":[]}")) == .dotted)
    #expect(try format(.hangUp) == .dotted)
    let output = Output(colours: (false, false)) { _, _ in }
    #expect(Surroundings.test(output: output, directory: "/nonexistent").configuration() == nil)
  }

  @Test("The format is asked for with the first call of a verb that shows moments, on its connection")
  func askedAhead() throws {
    func run(_ words: String..., answers: [ScriptedDaemon.Answer]) throws -> (run: Run, calls: [String]) {
      let daemon = try ScriptedDaemon(answers)
      defer { daemon.end() }
      let dates = DateStyle {
        Issue.record("asked again")
        return nil
      }
      let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory], dates: dates)
      return (run, daemon.calls)
    }
    let settings = try Self.reply(JSON.text(Self.iso))
    let listed = try run("list", answers: [settings, Self.listed])
    #expect(listed.run.output.contains("2026-11-20T21:41:00+00:00"))
    #expect(listed.calls.map { $0.contains(".Config\"") } == [true, false])
    #expect(try run("list", "--json", answers: [Self.listed]).calls.count == 1)
    #expect(try run("list", "--date-format", "dotted", answers: [Self.listed]).calls.count == 1)
    let unknown = ScriptedDaemon.Answer.messages(["{\"error\":\"org.varlink.service.MethodNotFound\"}"])
    #expect(try run("list", answers: [unknown, Self.listed]).run.output.contains("2026. 11. 20. 21:41:00"))
  }

  private static let iso = ConfigReply(
    file: nil, settings: [WireSetting(key: "date-format", value: "iso", source: .file, line: 1)], mistake: nil
  )
}
