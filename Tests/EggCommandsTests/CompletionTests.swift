import ArgumentParser
import EggProtocol
import Testing

@testable import EggCommands

/// What the completion scripts get from eggctl.
@Suite struct CompletionTests {
  private static func list(_ alarms: String...) -> ScriptedDaemon.Answer {
    .messages([
      "{\"parameters\":{\"alarms\":[\(alarms.joined(separator: ","))],\"totals\":{\"alarms\":0,\"eggs\":0}}}"
    ])
  }

  private static func alarm(
    _ number: Int, _ label: String? = nil, state: String = "scheduled", kind: String = "in"
  ) -> String {
    let label = label.map { "\"label\":\"\($0)\"," } ?? ""
    return """
      {"number":\(number),"state":"\(state)","done":false,"category":"other","eggs":1,\(label)\
      "expression":"6m30s","kind":"\(kind)"}
      """
  }

  private static func groups(_ names: String...) -> ScriptedDaemon.Answer {
    let groups = names.map { "{\"name\":\"\($0)\",\"alarms\":2,\"done\":0,\"eggs\":2}" }
    return .messages(["{\"parameters\":{\"groups\":[\(groups.joined(separator: ","))]}}"])
  }

  /// What is printed for these words, whose last one is at the cursor.
  private func offered(_ words: String..., answers: [ScriptedDaemon.Answer] = []) throws -> [String] {
    let daemon = try ScriptedDaemon(answers)
    defer { daemon.end() }
    let run = Run.run(["complete-words"] + words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    #expect(run.status == .success)
    #expect(run.messages.isEmpty)
    #expect(daemon.calls.count == answers.count)
    return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private func values(_ words: String...) throws -> [String] {
    let run = Run.run(["complete-words"] + words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
    #expect(run.status == .success && run.messages.isEmpty)
    return run.output.split(separator: "\n").dropFirst()
      .map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("The first word is a command, with what it does")
  func verbs() throws {
    let lines = try offered("", answers: [.reply("{\"settings\":[]}")])
    #expect(lines.first == "words")
    #expect(lines.contains("delete\tDelete alarms; a deleted alarm never rings."))
    #expect(lines.last == "help\tExplain a command.")
    #expect(!lines.contains { $0.hasPrefix("complete-words") })
    #expect(try values("group", "") == ["list", "create", "show", "rename", "edit", "delete"])
    #expect(try values("group", "show", "--").contains("--json"))
  }

  @Test("help takes the commands, and a group's commands after it")
  func help() throws {
    #expect(try values("help", "sno").contains("snooze"))
    #expect(!(try values("help", "").contains("help")))
    #expect(try values("help", "group", "").contains("rename"))
    #expect(try values("help", "delete", "").isEmpty)
    #expect(try values("help", "nothing", "").isEmpty)
  }

  @Test("An option is offered until it is given, a repeatable one for ever, and none after --")
  func options() throws {
    #expect(try values("delete", "-").contains("--rung-before"))
    #expect(!(try values("delete", "--rung-before", "noon", "-").contains("--rung-before")))
    #expect(!(try values("delete", "-y", "-").contains("--yes")))
    #expect(try values("list", "--category", "soft", "--c").contains("--category"))
    #expect(try values("list", "--", "-").isEmpty)
    // Options alone are those of the default command.
    #expect(try values("--").contains("--due-before"))
    #expect(try values("--sort", "") == ["position", "due", "created", "label"])
    // Where no argument is left.
    #expect(try values("undo", "").contains("--preview"))
    #expect(try values("undo", "--h").contains("--host"))
    #expect(!(try values("resolve", "--h").contains("--host")))
    #expect(!(try values("-H", "kitchen", "undo", "--").contains("--host")))
    #expect(try values("watch", "-H", "kitchen", "--").contains("--host"))
    #expect(try values("undo", "x").isEmpty)
    #expect(try values("nothing", "").isEmpty)
  }

  @Test("Values of an option are offered after it and after its equals sign")
  func optionValues() throws {
    #expect(try values("list", "--category", "") == ["soft", "medium", "hard", "other"])
    #expect(
      try values("list", "--category=s")
        == ["--category=soft", "--category=medium", "--category=hard", "--category=other"])
    #expect(try values("edit", "12", "--if-missed", "") == ["ring", "record"])
    #expect(try values("completion", "") == ["bash", "zsh", "fish"])
    #expect(try values("schedule", "--insist", "") == ["off"])
    #expect(try values("schedule", "--insist", "--").contains("--label"))
    #expect(try values("list", "--label", "").isEmpty)
    #expect(try offered("import", "") == ["files"])
    #expect(try offered("schedule", "5m", "--sound", "").prefix(3) == ["files", "none", "default"])
    #expect(try offered("group", "create", "x", "--icon", "") == ["files"])
    #expect(try offered("list", "-H", "") == ["hosts"])
    #expect(try offered("--host", "egg@k") == ["hosts"])
    // A key does not wait for another machine.
    #expect(try offered("-H", "kitchen", "delete", "") == ["alarms"])
  }

  @Test("A command is completed by the programs in PATH, and by files")
  func programs() {
    let variables = ["XDG_RUNTIME_DIR": "/nonexistent", "PATH": "/usr/bin:/bin:/nonexistent"]
    let run = Run.run(["complete-words", "schedule", "5m", "--run", "dirn"], variables: variables)
    #expect(run == .said("files\ndirname\n"))
  }

  @Test("Zones are offered for --zone, and in a time after a capital letter")
  func zones() throws {
    #expect(try values("resolve", "07:30", "--zone", "").contains("Asia/Seoul"))
    let zones = try values("schedule", "07:30", "E")
    #expect(zones.contains("Europe/Paris") && zones.contains("America/Argentina/Salta"))
    #expect(!zones.contains { $0.hasPrefix("posix/") || $0.hasPrefix("right/") || $0.contains(".") })
    #expect(try values("schedule", "07:30", "").isEmpty)
    #expect(try values("schedule", "07:30", "e").isEmpty)
  }

  @Test("Alarms are offered with their label, else with their time; what is named already is not")
  func alarms() throws {
    let answer = Self.list(Self.alarm(3, "tea"), Self.alarm(12, "한글 a:b"), Self.alarm(13))
    #expect(try offered("delete", "", answers: [answer]) == ["alarms", "3\ttea", "12\t한글 a:b", "13\t6m30s"])
    #expect(
      try offered("delete", "3", "#13", "", answers: [answer]).map { $0.prefix(2) } == ["al", "12", "13"])
    #expect(try offered("move", "3", "--after=", answers: [answer])[1] == "--after=12\t한글 a:b")
    // Then comes the time.
    #expect(try offered("edit", "3", "5m", "1") == ["words"])
    #expect(try offered("show", "3", "1") == ["words"])
  }

  @Test(
    "Each verb asks for the alarms that it accepts",
    arguments: [
      ("snooze", "\"states\":[\"ringing\"]"), ("dismiss", "\"states\":[\"ringing\",\"snoozed\"]"),
      ("resume", "\"states\":[\"paused\"]"), ("done", "\"done\":false"), ("undone", "\"done\":true"),
      ("wait", "\"states\":[\"scheduled\",\"ringing\",\"snoozed\"]"),
    ])
  func fitting(verb: String, filter: String) throws {
    let (run, calls) = try Run.eggctl(
      "complete-words", verb, "", answers: [Self.list(Self.alarm(12, "tea"))])
    #expect(run == .said("alarms\n12\ttea\n"))
    let call = try #require(calls.first)
    #expect(call.contains(filter), "\(call)")
    #expect(call.contains("\"totals\":false"))
  }

  @Test("pause, skip and extend take only timings that they change")
  func timings() throws {
    let answer = Self.list(
      Self.alarm(1), Self.alarm(2, kind: "at"), Self.alarm(3, state: "ringing", kind: "every"),
      Self.alarm(4, state: "snoozed", kind: "at"))
    func numbers(_ verb: String) throws -> [Substring] {
      try offered(verb, "", answers: [answer]).dropFirst().map { $0.prefix(1) }
    }
    #expect(try numbers("pause") == ["1", "3"])
    #expect(try numbers("skip") == ["1", "2", "3"])
    #expect(try numbers("extend") == ["1", "2", "4"])
  }

  @Test("Digits offer the alarms whose numbers they begin, and other letters those whose labels they begin")
  func digits() throws {
    let answer = Self.list(Self.alarm(1), Self.alarm(2), Self.alarm(12), Self.alarm(21), Self.alarm(120))
    #expect(
      try offered("delete", "1", answers: [answer]) == ["alarms", "1\t6m30s", "12\t6m30s", "120\t6m30s"])
    #expect(try offered("delete", "07", answers: [answer]) == ["alarms"])
    let labelled = Self.list(
      Self.alarm(3, "Tea"), Self.alarm(4, "two eggs"), Self.alarm(5, "rice"))
    #expect(try offered("delete", "t", answers: [labelled]) == ["words", "Tea\t#3", "two eggs\t#4"])
    #expect(try offered("delete", "tea", answers: [labelled]) == ["words", "Tea\t#3"])
    #expect(try offered("show", "x", answers: [labelled]) == ["words"])
    // Behind its alarms edit has a time.
    #expect(try offered("edit", "3", "t") == ["words"])
  }

  @Test("At most a hundred alarms are offered")
  func bound() throws {
    let alarms = (1...120).map { Self.alarm($0) }.joined(separator: ",")
    let answer = Self.list(alarms)
    #expect(try offered("delete", "", answers: [answer]).count == 101)
  }

  @Test("Groups are offered for their commands and for --group; a name that cannot be shown is not")
  func groups() throws {
    let answer = Self.groups("Sunday eggs", "it's $(x)", "a\\tb")
    let offer = ["words", "Sunday eggs\t2 alarms", "it's $(x)\t2 alarms"]
    #expect(try offered("group", "rename", "", answers: [answer]) == offer)
    #expect(try offered("list", "--group", "", answers: [answer]) == offer)
    #expect(try offered("group", "rename", "Sunday", "") == ["words"])
    #expect(try offered("group", "create", "") == ["words"])
  }

  @Test("Days off are offered for their commands and options, which also take none")
  func daysOff() throws {
    let answer = ScriptedDaemon.Answer.messages([
      #"{"parameters":{"daysOff":[{"name":"holidays","count":510,"alarms":2},{"name":"trip","count":1,"alarms":0}]}}"#
    ])
    let offer = ["words", "holidays\t510 days", "trip\t1 day"]
    #expect(try offered("daysoff", "delete", "", answers: [answer]) == offer)
    #expect(try offered("daysoff", "list", "", answers: [answer]) == offer)
    #expect(try offered("schedule", "--except", "", answers: [answer]) == offer + ["none"])
    #expect(try offered("edit", "12", "--only-on", "", answers: [answer]) == offer + ["none"])
    #expect(try offered("daysoff", "import", "") == ["files"])
  }

  @Test("A label cannot end its line, nor start an escape sequence")
  func controlCharacters() throws {
    let answer = Self.list(Self.alarm(3, "a\\n4\\tb\\u001b[31m"))
    #expect(try offered("delete", "", answers: [answer]) == ["alarms", "3\ta\\n4\\tb\\u{1b}[31m"])
  }

  @Test("Without eggd, or when it is silent or refuses, nothing is offered and nothing said")
  func unreachable() throws {
    #expect(Run.alone("complete-words", "delete", "") == .said("alarms\n"))
    #expect(Run.alone("complete-words", "list", "--group", "") == .said("words\n"))
    #expect(Run.alone("complete-words") == .said("words\n"))
    for answer in [ScriptedDaemon.Answer.silence, .hangUp, .messages(["{\"parameters\":[]}"])] {
      let (run, _) = try Run.eggctl(
        "complete-words", "delete", "", answers: [answer], disagrees: true,
        patience: { _ in .milliseconds(1) })
      #expect(run == .said("alarms\n"))
    }
  }

  @Test("Every value is completed, but for free text")
  func complete() throws {
    var free: Set<String> = []
    func check(_ verb: any ParsableCommand.Type, _ name: String) throws {
      let arguments = try VerbArguments(of: verb)
      for argument in arguments.positionals + arguments.options where argument.kind != .flag {
        if let command = argument.completionKind?.shellCommand {
          #expect(ValueSource(rawValue: command.command) != nil, "\(name)")
        } else if argument.completionKind == nil {
          free.insert(argument.names?.last?.text ?? argument.valueName ?? "?")
        }
      }
      for inner in verb.configuration.subcommands { try check(inner, inner.configuration.commandName ?? "") }
    }
    try check(Eggctl.self, "eggctl")
    #expect(
      free == [
        "--label", "--eggs", "--title", "--body", "--note", "--from", "--until", "--count", "--ring-within",
        "--key",
        "--due-before", "--due-from", "--rung-before", "--before", "--limit", "--format", "--base",
        "--timeout", "--at", "--lines", "--since", "--mass", "--setup", "--password-command", "--altitude",
        "--yolk",
        "name", "new-name", "date", "day",
      ])
  }
}
