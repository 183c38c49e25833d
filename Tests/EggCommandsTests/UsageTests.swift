import ArgumentParser
import EggProtocol
import Foundation
import Testing

@testable import EggCommands

@Suite struct UsageTests {
  @Test("Without a daemon it exits with 69 and names the command that starts it")
  func unreachable() {
    #expect(Run.alone() == .unreachable)
    #expect(Run.alone("list", "-q") == .unreachable)
    #expect(Run.alone("hungry") == .unreachable)
  }

  @Test("If the unit is enabled, the hint only starts it")
  func enabled() throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "egg-home-\(UUID().uuidString)")
    let wants = home.appending(path: "systemd/user/sockets.target.wants")
    try FileManager.default.createDirectory(at: wants, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try Data().write(to: wants.appending(path: "eggd.socket"))
    let variables = ["XDG_RUNTIME_DIR": "/nonexistent", "XDG_CONFIG_HOME": home.path]
    let run = Run.run(["list"], variables: variables)
    #expect(run.messages.hasSuffix("eggctl: hint: systemctl --user start eggd\n"), "\(run)")
  }

  @Test("A reply that cannot be written says what was done, with its own exit status")
  func unwritten() throws {
    let output = Output(colours: (false, false)) { channel, _ in
      if channel == .data { throw Failure.unwritable(ENOSPC) }
    }
    try output.data("#12\n")
    output.done = "alarm 12 is scheduled"
    #expect(
      throws: Failure(
        .unwritten, "alarm 12 is scheduled, but the output could not be written: No space left on device",
        hint: "eggctl list")
    ) { try output.flush() }
  }

  @Test("Numbers and ranges without any alarm are all named")
  func missingRanges() {
    let failure = Failure.missing([15], [], [NumberRange(first: 3, last: 7)])
    #expect(failure.message == "there are no alarms 3-7 and 15")
    #expect(Failure.missing([], [], [NumberRange(first: 3, last: 7)]).message == "there are no alarms 3-7")
    #expect(Failure.missing([15], []).message == "there is no alarm 15")
  }

  @Test(
    "A wrong command line exits with 64 and one line, before any call",
    arguments: [
      (["fry"], "unknown command 'fry'", "eggctl help"),
      (["lst"], "unknown command 'lst'", "did you mean: eggctl list"),
      (["delet", "3"], "unknown command 'delet'", "did you mean: eggctl delete 3"),
      (["rm", "3-7"], "unknown command 'rm'", "did you mean: eggctl delete 3-7"),
      (["cancel", "3"], "unknown command 'cancel'", "did you mean: eggctl delete 3"),
      (["ls"], "unknown command 'ls'", "did you mean: eggctl list"),
      (["new", "6m", "two eggs"], "unknown command 'new'", "did you mean: eggctl schedule 6m \"two eggs\""),
      (["add", "6m"], "unknown command 'add'", "did you mean: eggctl schedule 6m"),
      (["group", "rm", "my day"], "unknown command 'rm'", "did you mean: eggctl group delete \"my day\""),
      (["group", "add", "Sunday"], "unknown command 'add'", "did you mean: eggctl group create Sunday"),
      (
        ["daysoff", "remove", "trip"], "unknown command 'remove'", "did you mean: eggctl daysoff delete trip"
      ),
      (["list", "--foo"], "unknown option '--foo'", "eggctl help list"),
      (["group", "delete", "Sunday", "--zap"], "unknown option '--zap'", "eggctl help group delete"),
      (["group", "create"], "missing expected argument '<name>'", "eggctl help group create"),
      (
        ["group", "create", "Sunday", "--color", "purple"],
        "the value 'purple' is invalid for '--color <color>'; give one of 'red', 'yellow', 'green', 'cyan', "
          + "'blue', 'magenta' or 'gray'", "eggctl help group create"
      ),
      (
        ["group", "create", "Sunday", "--icon", "/nonexistent/egg.png"],
        "cannot read the icon file '/nonexistent/egg.png'", nil
      ),
      (
        ["group", "create", "Sunday", "--icon", "no-such-egg.svg"],
        "cannot read the icon file 'no-such-egg.svg'", nil
      ),
      (
        ["schedule", "6m", "--sound", "/nonexistent/egg.oga"],
        "cannot read the sound file '/nonexistent/egg.oga'", nil
      ),
      (
        ["edit", "3", "--sound", "/tmp"], "cannot read the sound file '/tmp'", nil
      ),
      (
        ["schedule", "6m", "--sound", "ding dong"],
        "'ding dong' is not a sound: enter a name of the sound theme, a file, none or default",
        "ls /usr/share/sounds/freedesktop/stereo"
      ),
      (["list", "--srot", "due"], "unknown option '--srot'", "did you mean: eggctl list --sort due"),
      (["start", "10m"], "unknown command 'start'", "did you mean: eggctl schedule 10m"),
      (["start", "3"], "unknown command 'start'", "did you mean: eggctl resume 3"),
      (["10m", "tea"], "unknown command '10m'", "did you mean: eggctl schedule 10m tea"),
      (["10m tea"], "unknown command '10m tea'", "did you mean: eggctl schedule \"10m tea\""),
      (["snoze", "10m"], "unknown command 'snoze'", "did you mean: eggctl snooze 10m"),
      (
        ["rename", "3", "two", "eggs"], "unknown command 'rename'",
        "did you mean: eggctl edit 3 --label \"two eggs\""
      ),
      (["help", "lst"], "unknown command 'lst'", "did you mean: eggctl help list"),
      (["help", "rm"], "unknown command 'rm'", "did you mean: eggctl help delete"),
      (["help", "group", "renam"], "unknown command 'renam'", "did you mean: eggctl help group rename"),
      (["help", "nosuch"], "unknown command 'nosuch'", "eggctl help"),
      (["nosuch", "--help"], "unknown command 'nosuch'", "eggctl help"),
      (["extend", "2"], "by how much?", "eggctl extend 2 5m"),
      (["extend", "--all"], "by how much?", "eggctl extend --all 5m"),
      (["extend", "2", "5"], "by how much?", "eggctl extend 2 5m, or eggctl extend 2 5 5m"),
      (["list", "due"], "unexpected argument 'due'", "eggctl help list"),
      (["schedule"], "missing expected argument '<time> ...'", "eggctl help schedule"),
      (["schedule", "6m", "--eggs", "0"], "the number of eggs must be at least 1", nil),
      (["schedule", "6m", "--eggs", "-1"], "the number of eggs must be at least 1", nil),
      (["schedule", "6m", "--eggs", "1000001"], "the number of eggs must be at most 1000000", nil),
      (
        ["schedule", "6m", "--eggs", "two"], "the value 'two' is invalid for '--eggs <eggs>'",
        "eggctl help schedule"
      ),
      (
        ["schedule", "6m", "--category", "boiled"],
        "the value 'boiled' is invalid for '--category <category>'; give one of 'soft', 'medium', 'hard' or "
          + "'other'", "eggctl help schedule"
      ),
      (
        ["schedule", "6m", "an egg that takes a very long time"],
        "the label has 34 characters; the limit is 30",
        "eggctl schedule 6m --note \"an egg that takes a very long time\""
      ),
      (["schedule", "6m", "--label", "a\u{1b}b"], "the label contains control characters", nil),
      (["schedule", "6m", "--label", "  "], "the label is blank", nil),
      (["group", "create", " "], "a group needs a name", nil),
      (["schedule", "6m", "--title", "a\nb"], "the title contains control characters", nil),
      (
        [
          "schedule", "6m", "--title",
          String(repeating: "e" + String(repeating: "\u{301}", count: 21), count: 99),
        ],
        "the title is longer than 4096 bytes", nil
      ),
      (["group", "create", String(repeating: "달", count: 70)], "the group is longer than 200 bytes", nil),
      (["schedule", "6m", "--in", "--at"], "--in, --at and --every exclude each other", nil),
      (["schedule", "6m", "eggs", "--label", "more"], "two labels: 'more' and 'eggs'", nil),
      (["delete"], "which alarm?", "eggctl delete NUMBER, as eggctl list shows it"),
      (["delete", "--all", "3"], "--all and named alarms exclude each other", nil),
      (["delete", "--all"], "without a terminal, --all needs -y", "eggctl delete --all -y"),
      (["delete", "0"], "'0' is not an alarm number: numbers begin at 1", nil),
      (
        ["delete", "99999999999999999999"], "'99999999999999999999' is too large for an alarm number",
        "eggctl list"
      ),
      (["delete", "7-3"], "'7-3' runs backwards", "3-7"),
      (["edit", "12"], "no change was given", "eggctl help edit"),
      (["edit", "12", "--at"], "--in, --at and --every need a time", nil),
      (
        ["show", "3-4"], "'3-4' is not an alarm",
        "give a number (12), a label or a UUID; eggctl list shows the alarms"
      ),
      (["snooze", "12", "0s"], "a snooze must last between 1 second and 366 days", nil),
      (["snooze", "12", "until"], "until when?", "eggctl snooze until tomorrow 9:00"),
      (["snooze", "12", "until", "daily"], "'daily' is not a moment", nil),
      (["snooze", "12", "until", "2026-01-01 9:00"], "'2026-01-01 9:00' is in the past", nil),
      (["history", "--limit", "0"], "-n takes a number from 1 on", "eggctl history -n 20"),
      (["history", "-n", "-1"], "-n takes a number from 1 on", "eggctl history -n 20"),
      (["log", "-n", "-1"], "-n takes a number from 1 on", "eggctl log -n 20"),
      (["show", "-1"], "'-1' is not an alarm number: numbers begin at 1", nil),
      (
        ["snooze", "sn", "-5m"], "'-5m' begins with a hyphen: an alarm cannot ring in the past",
        "eggctl snooze sn 5m"
      ),
      (["schedule", "1h", "--icon", "/x.png"], "unknown option '--icon'", "eggctl help schedule"),
      (["history", "--before", "2026-01-01"], "--before needs --prune", nil),
      (["history", "--prune", "--limit", "1"], "--prune and --limit exclude each other", nil),
    ] as [([String], String, String?)])
  func notUnderstood(_ words: [String], _ message: String, _ hint: String?) {
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
    let verb = words[0] == "group" ? words.prefix(2).joined(separator: " ") : words[0]
    let hint = hint ?? "eggctl help \(verb)"
    #expect(run == .failed(.usage, "eggctl: error: \(message)\neggctl: hint: \(hint)\n"))
  }

  @Test("A negative time-out is refused as a span")
  func negativeTimeout() {
    #expect(
      Run.alone("wait", "3", "--timeout", "-5s")
        == .failed(
          .usage,
          """
          eggctl: error: cannot read '-5s' as a time: not understood from here
            -5s
            ^
          eggctl: hint: enter a span: 90s, 10m, 1h30m

          """))
  }

  @Test("An unreadable expression is shown with a caret under the place")
  func caret() {
    #expect(
      Run.alone("schedule", "6m30x", "eggs")
        == .failed(
          .usage,
          """
          eggctl: error: cannot read '6m30x eggs' as a time: not a unit of time
            6m30x eggs
                ^
          eggctl: hint: 6m30s, 07:30, tomorrow 07:30, 2026-12-24 18:00; more: eggctl help times

          """))
  }

  @Test(
    "Help begins with examples and goes to standard output",
    arguments: [
      ("schedule", #"eggctl schedule 6m30s "two soft ones" --eggs 2 --category soft"#), ("list", "eggctl"),
      ("watch", "eggctl watch"), ("delete", "eggctl delete 12"), ("log", "eggctl log"),
      ("completion", "eggctl completion bash > ~/.local/share/bash-completion/completions/eggctl"),
    ])
  func help(_ verb: String, example: String) {
    let run = Run.alone("help", verb)
    #expect(run.status == .success)
    #expect(run.messages == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("OVERVIEW: ") == true)
    #expect(lines.dropFirst().first == example[...])
  }

  @Test(
    "The help as a whole is one screen: every verb once, in five groups", arguments: ["help", "--help", "-h"])
  func overview(_ word: String) {
    let run = Run.alone(word)
    #expect(run.status == .success && run.messages.isEmpty)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect((24...40).contains(lines.count), "\(lines.count)")
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.hasSuffix("…") })
    #expect(lines.count { $0.hasSuffix(":") } == 5)
    let named = lines.filter { $0.hasPrefix("  ") }.flatMap { line in
      line.dropFirst(2).split(separator: "  ")[0].split(separator: ", ").map(String.init)
    }
    #expect(named == Eggctl.verbs.compactMap { $0.configuration.commandName })
    #expect(Set(named).count == named.count)
  }

  @Test("A usage longer than a line goes on below its beginning")
  func longUsage() throws {
    let lines = Run.alone("help", "wait").output.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("USAGE: ") })
    #expect(
      lines[start...].prefix(2) == [
        "USAGE: eggctl wait [<number> ...] [--any] [--timeout <span>] [--no-bell]",
        "       [--json] [--quiet]",
      ])
  }

  @Test(
    "With --json a failure is one object on standard error",
    arguments: [
      (
        ["list", "--foo", "--json"],
        #"{"error":"usage","hint":"eggctl help list","message":"unknown option '--foo'"}"#
      ),
      (
        ["list", "--json", "-q"],
        #"{"error":"usage","hint":"eggctl help list","message":"--json and --quiet exclude each other"}"#
      ),
      (
        ["schedule", "6m", "--label", "a\u{1b}", "--json"],
        #"{"error":"io.eggd.Schedule.InvalidText","hint":"eggctl help schedule","#
          + #""message":"the label contains control characters","parameters":{"field":"label"}}"#
      ),
    ])
  func json(words: [String], document: String) {
    let variables = ["XDG_RUNTIME_DIR": "/nonexistent"]
    #expect(Run.run(words, variables: variables) == .failed(.usage, document + "\n"))
  }

  @Test("The version goes to standard output")
  func version() {
    #expect(Run.alone("--version") == .said("eggctl 0.1.0\n"))
  }

  @Test("now needs no daemon")
  func now() {
    #expect(Run.alone("now") == .said("2026. 11. 20. 21:34:30\n"))
    #expect(Run.alone("now", "--json") == .said("{\"now\":1795210470000000,\"zone\":\"UTC\"}\n"))
  }

  @Test("Every shell gets a completion script", arguments: ["bash", "zsh", "fish"])
  func completion(_ shell: String) {
    let run = Run.alone("completion", shell)
    #expect(run.status == .success)
    #expect(run.output.contains("eggctl complete-words"))
    #expect(run.output.hasSuffix("\n"))
  }

  @Test(
    "A time that begins with a hyphen is refused, not taken for an option",
    arguments: [
      (["schedule", "-5m"], "-5m", "eggctl schedule 5m"), (["resolve", "-1h"], "-1h", "eggctl resolve 1h"),
      (["edit", "4", "-1h30", "tea time"], "-1h30", "eggctl edit 4 1h30 \"tea time\""),
    ])
  func hyphen(words: [String], word: String, hint: String) {
    #expect(
      Run.run(words, variables: [:])
        == .failed(
          .usage,
          """
          eggctl: error: '\(word)' begins with a hyphen: an alarm cannot ring in the past
          eggctl: hint: \(hint)

          """))
  }

  @Test("A snooze that is not a span gets examples of spans")
  func snoozeUntil() {
    #expect(
      Run.alone("snooze", "12", "soon")
        == .failed(
          .usage,
          """
          eggctl: error: cannot read 'soon' as a time: not understood from here
            soon
            ^
          eggctl: hint: enter a span: 90s, 10m, 1h30m

          """))
  }

  @Test("A snooze until a time with two readings gets both")
  func snoozeReadings() {
    let messages = Run.alone("snooze", "12", "tomorrow", "at", "3").messages
    #expect(messages.hasPrefix("eggctl: error: cannot read 'tomorrow at 3' as a time: morning or evening?\n"))
    #expect(
      messages.hasSuffix(
        """
        eggctl: hint: eggctl snooze 12 "tomorrow at 03:00", or eggctl snooze 12 "tomorrow at 15:00"

        """))
  }

  @Test("No line of a help text is wrapped at 80 columns")
  func helpLines() {
    func check(_ verb: any ParsableCommand.Type, _ words: [String] = []) {
      let lines = Set(Eggctl.helpMessage(for: verb, columns: 80).split(separator: "\n"))
      for line in verb.configuration.discussion.split(separator: "\n") {
        #expect(lines.contains(line), "\(line)")
      }
      let page = Run.run(["help"] + words, variables: [:]).output
      for line in page.split(separator: "\n") { #expect(String(line).displayWidth <= 80, "\(line)") }
      for inner in verb.configuration.subcommands {
        check(inner, words + [inner.configuration.commandName].compactMap(\.self))
      }
    }
    check(Eggctl.self)
  }

  @Test("Colours are escape sequences around the word, on terminals only")
  func colours() {
    let run = Run.run(["fry"], variables: [:], colours: true)
    let error = "eggctl: \u{1b}[1;31merror:\u{1b}[0m unknown command 'fry'\n"
    #expect(run.messages == error + "eggctl: \u{1b}[1mhint:\u{1b}[0m eggctl help\n")
  }

  @Test("The help of a command with commands says how to get theirs") func footer() {
    let help = Run.run(["daysoff", "--help"], variables: [:]).output
    #expect(help.hasSuffix("  See 'eggctl help daysoff <subcommand>' for detailed help.\n"), "\(help)")
  }
}
