import Testing

@testable import EggCommands

@Suite("eggctl delete")
struct DeleteVerbTests {
  @Test("delete -q says how many numbers it left out")
  func deleteMany() throws {
    let reply = ScriptedDaemon.Answer.reply(
      """
      {"deleted":[1,2],"count":5,"rang":[],"missing":[],"missingIds":[],"sequence":7}
      """)
    let (run, _) = try Run.eggctl("delete", "1-5", "-q", answers: [reply])
    #expect(run == Run(status: .success, output: "1\n2\n", messages: "eggctl: and 3 more\n"))
  }

  @Test("delete --rung-before sends the moment, for all alarms by default")
  func rungBefore() throws {
    let reply = ScriptedDaemon.Answer.reply(
      "{\"count\":2,\"deleted\":[1,2],\"rang\":[1,2],\"missing\":[],\"missingIds\":[],\"sequence\":5}")
    let count = ScriptedDaemon.Answer.reply("{\"alarms\":[],\"totals\":{\"alarms\":5,\"eggs\":5}}")
    let (run, calls) = try Run.eggctl("delete", "--rung-before", "1 week ago", answers: [count, reply])
    #expect(run == .said("deleted #1, #2\n"))
    #expect(calls.last?.contains("\"all\":true") == true)
    #expect(calls.last?.contains("\"rungBefore\":1794605670000000") == true)
  }

  @Test(
    "What is past lies before now: a span is one from now, a time of day the next",
    arguments: [
      (["log", "--since", "1h"], "'1h'", "'1h ago'"),
      (["log", "--since", "9:00"], "'9:00'", "'today 9:00'"),
      (["history", "--prune", "--before", "21:45"], "'21:45'", "'yesterday 21:45'"),
      (["log", "--since", "오전 9시"], "'오전 9시'", "'오늘 오전 9시'"),
      (["delete", "--rung-before", "1h"], "'1h'", "'1h ago'"),
      (["history", "--prune", "--before", "2 days"], "'2 days'", "'2 days ago'"),
      (["delete", "--rung-before", "2시간"], "'2시간'", "'2시간 전'"),
    ])
  func ahead(words: [String], text: String, past: String) throws {
    #expect(
      Run.run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
        == .failed(.usage, "eggctl: error: \(text) is in the future\neggctl: hint: enter \(past)\n"))
  }

  @Test("delete --rung-before names alarms that do not exist, and exits with 1")
  func rungBeforeMissing() throws {
    let reply = ScriptedDaemon.Answer.reply(
      "{\"count\":1,\"deleted\":[3],\"rang\":[3],\"missing\":[99],\"missingIds\":[],\"sequence\":5}")
    #expect(
      try Run.eggctl("delete", "3", "99", "--rung-before", "1 week ago", answers: [reply]).run
        == Run(
          status: .refused, output: "deleted #3\n",
          messages: "eggctl: error: there is no alarm 99\neggctl: hint: eggctl list\n"))
  }

  @Test("delete --rung-before never asks, and the help of --all says so")
  func rungBeforeOfAll() throws {
    let count = ScriptedDaemon.Answer.reply("{\"alarms\":[],\"totals\":{\"alarms\":5,\"eggs\":5}}")
    let reply = ScriptedDaemon.Answer.reply(
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
}
