import Testing

@testable import EggCommands

@Suite struct HostVerbTests {
  @Test(
    "-H may stand anywhere before --, in each of its forms",
    arguments: [
      ["-H", "kitchen", "list", "--today"], ["list", "-H", "kitchen", "--today"],
      ["list", "--today", "-Hkitchen"],
      ["--host", "kitchen", "list", "--today"], ["list", "--host=kitchen", "--today"],
    ])
  func anywhere(words: [String]) throws {
    let given = try HostWords(words)
    #expect(given.words == ["list", "--today"])
    #expect(given.hosts == ["kitchen"])
  }

  @Test("Behind -- it is a word")
  func word() throws {
    let given = try HostWords(["schedule", "5m", "--", "-H", "kitchen"])
    #expect(given.words == ["schedule", "5m", "--", "-H", "kitchen"])
    #expect(given.hosts.isEmpty)
  }

  @Test("It needs a value", arguments: ["-H", "--host"])
  func value(option: String) {
    #expect(
      Run.alone("list", option)
        == .failed(
          .usage,
          """
          eggctl: error: missing value for '\(option)'
          eggctl: hint: eggctl -H user@kitchen list

          """))
  }

  @Test("Verbs that do not ask eggd refuse it", arguments: ["now", "completion", "bridge", "times"])
  func local(verb: String) {
    let words = verb == "completion" ? [verb, "bash"] : [verb]
    let run = Run.run(["-H", "kitchen"] + words, variables: [:])
    #expect(
      run
        == .failed(
          .usage,
          """
          eggctl: error: \(verb) does not ask eggd, so it takes no -H
          eggctl: hint: eggctl help \(verb)

          """))
  }

  @Test("doctor runs there; log reads the journal there, in the user's own words here")
  func machine() throws {
    let there = "exec sh -c 'PATH=$PATH:$HOME/.local/bin; "
    var surroundings = Surroundings.test(
      output: Output(colours: (false, false)) { _, _ in }, directory: "/nonexistent")
    surroundings.host = RemoteHost(try HostName("egg@kitchen:22")) { Run.now }
    surroundings.become = { Failure(.unavailable, $0.joined(separator: " ")) }
    let command = "ssh -x -T -o ConnectTimeout=10 -p 22 -- egg@kitchen \(there)exec eggctl doctor --json'"
    #expect(throws: Failure(.unavailable, command)) { try Doctor.parse(["--json"]).run(in: surroundings) }
    var ran: [String] = []
    let run = Run.run(
      ["log", "12", "-H", "kitchen", "--since", "2 h ago"], variables: [:],
      printing: { words in
        ran = words
        return (["{\"MESSAGE\":\"Wait!\"}"], 0)
      })
    #expect(run.status == .success)
    #expect(
      ran == [
        "ssh", "-x", "-T", "-o", "ConnectTimeout=10", "--", "kitchen",
        there
          + #"journal=--user; test "$(id -u)" -lt 1000 && journal=_UID=$(id -u); exec journalctl $journal "#
          + "SYSLOG_IDENTIFIER=eggd EGG_ALARM_NUMBER=12 --priority=info --quiet --all --output=json "
          + "--since=@1795203270'",
      ])
  }

  @Test(
    "What ssh or the shell there ends with is told in words",
    arguments: [
      (255, "ssh cannot connect to kitchen", "ssh kitchen true"),
      (
        127, "journalctl is not installed on kitchen, or not in the PATH of ssh there",
        "ssh kitchen 'echo $PATH'"
      ),
    ])
  func ended(status: Int32, error: String, hint: String) {
    let run = Run.run(["log", "-H", "kitchen"], variables: [:], printing: { _ in ([], status) })
    #expect(
      run
        == .failed(
          .unavailable, "eggctl: error: \(error)\neggctl: hint: \(hint)\n"))
  }

  @Test("Hints are commands to enter here")
  func hints() throws {
    let host = RemoteHost(try HostName("egg@kitchen:22")) { Run.now }
    #expect(host.hint("eggctl show 12") == "eggctl -H egg@kitchen:22 show 12")
    #expect(
      host.hint("eggctl group lists them; eggctl help times")
        == "eggctl -H egg@kitchen:22 group lists them; eggctl help times")
    #expect(
      host.hint("systemctl --user restart eggd") == "ssh -p 22 egg@kitchen systemctl --user restart eggd")
  }

  @Test("A key for the bridge alone runs nothing else, and says so")
  func key() {
    let run = Run.run(["bridge"], variables: ["SSH_ORIGINAL_COMMAND": "exec eggctl doctor"])
    #expect(run == .failed(.notPermitted, "eggctl: error: the ssh key allows eggctl bridge alone\n"))
    let log = Run.run(["log", "-H", "kitchen"], variables: [:], printing: { _ in ([], 77) })
    #expect(
      log
        == .failed(
          .notPermitted,
          "eggctl: error: the ssh key of kitchen does not allow journalctl\neggctl: hint: run it on that machine itself\n"
        ))
  }

  @Test("A hint for root asks for the password on a terminal")
  func root() throws {
    let host = RemoteHost(try HostName("kitchen")) { Run.now }
    #expect(host.hint("sudo systemctl start x@$USER") == "ssh -t kitchen 'sudo systemctl start x@$USER'")
  }

  @Test("A file is one of that machine, by its whole path")
  func files() throws {
    let host = RemoteHost(try HostName("kitchen")) { Run.now }
    #expect(try host.file("/nowhere/bell.oga") == "/nowhere/bell.oga")
    #expect(throws: Failure(.usage, "'bell.oga' would be a file on kitchen: enter its whole path there")) {
      try host.file("bell.oga")
    }
  }
}
