import Synchronization
import Testing

@testable import EggCommands

/// Changes of many alarms, against a daemon that has 100 000 of them.
@Suite struct LongChangeTests {
  private static func reply(_ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":\(parameters)}"])
  }

  /// Answers what is asked before a change; the change itself as is said.
  private static func daemon(_ change: ScriptedDaemon.Answer) throws -> ScriptedDaemon {
    try ScriptedDaemon { call in
      if call.contains("Schedule.List\"") {
        return reply("{\"alarms\":[],\"totals\":{\"alarms\":100000,\"eggs\":100000}}")
      }
      if call.contains("Schedule.ListGroups\"") {
        return reply(
          "{\"groups\":[{\"name\":\"Sunday\",\"alarms\":2000,\"done\":0,\"eggs\":2000}]}")
      }
      if call.contains("\"preview\":true") {
        return reply(
          """
          {"change":"import","madeAt":1795210350000000,"own":true,"count":70000,"numbers":[1],"missed":[],\
          "sequence":7}
          """)
      }
      return change
    }
  }

  @Test(
    "a change may take longer the more alarms it is about, and one that is not answered may still be made",
    arguments: [
      (["delete", "--all", "-y"], 100_000), (["done", "--all"], 100_000), (["undone", "3-7"], 5),
      (["skip", "1-50000"], 50_000), (["pause", "1-9223372036854775807"], 100_000),
      (["delete", "--rung-before", "1 week ago"], 100_000), (["extend", "--all", "1h"], 100_000),
      (["snooze", "--all"], 100_000), (["edit", "1-3000", "--eggs", "2"], 3_000), (["dismiss", "7", "9"], 2),
      (["move", "1-2000", "--top"], 2_000), (["undo"], 70_000),
      (["group", "delete", "Sunday", "--delete-alarms", "-y"], 2_000),
    ] as [([String], Int64)])
  func patience(_ words: [String], alarms: Int64) throws {
    let daemon = try Self.daemon(.silence)
    defer { daemon.end() }
    let asked = Mutex<[Int64]>([])
    let run = Run.run(
      words, variables: ["XDG_RUNTIME_DIR": daemon.directory],
      patience: { count in
        asked.withLock { $0.append(count) }
        return count == 0 ? .seconds(60) : .zero
      })
    #expect(
      run
        == .failed(
          .timeout,
          """
          eggctl: error: eggd did not answer in time: the change may still be made
          eggctl: hint: eggctl list, or eggctl undo --preview, which names the last change

          """))
    #expect(asked.withLock { $0.last } == alarms)
  }

  @Test("each alarm lets the answer take a millisecond longer than a minute")
  func allowance() {
    #expect(Surroundings.process.patience(0) == .seconds(60))
    #expect(Surroundings.process.patience(1_000_000) == .seconds(1_060))
  }
}
