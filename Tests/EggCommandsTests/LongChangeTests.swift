import Dispatch
import EggProtocol
import Synchronization
import Testing

@testable import EggCommands

/// Changes of many alarms, with a daemon that has 100 000.
@Suite struct LongChangeTests {
  private static func reply(_ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":\(parameters)}"])
  }

  /// Answers the questions before a change; `change` answers the change itself.
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
    "A change of more alarms may take longer; one without an answer may still happen",
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
          eggctl: error: eggd did not answer in time: the change may still happen
          eggctl: hint: eggctl undo --preview shows the last change

          """))
    #expect(asked.withLock { $0.last } == alarms)
  }

  /// Runs the words on a terminal and returns all output in order.
  private static func watched(
    _ words: [String], _ daemon: ScriptedDaemon, showsData: Bool = false
  ) -> (printed: String, status: EggCommands.ExitStatus) {
    let printed = Mutex("")
    let output = Output(colours: (false, false), showsProgress: true, showsData: showsData) { _, text in
      printed.withLock { $0 += text }
    }
    let status = Eggctl.run(words, in: .test(output: output, directory: daemon.directory))
    return (printed.withLock { $0 }, status)
  }

  private static let clear = "\r\u{1b}[K"
  private static let deleted =
    "{\"count\":3,\"deleted\":[1,2,3],\"rang\":[],\"missing\":[],\"missingIds\":[],\"sequence\":2}"
  private static let changed = "{\"alarms\":[],\"missing\":[],\"missingIds\":[],\"sequence\":2}"

  @Test(
    "A change of many alarms shows progress on a terminal, and removes it before the answer",
    arguments: [
      (["delete", "--all", "-y"], deleted, "going through 100000 alarms", "deleted #1-3\n"),
      (["dismiss", "--all"], changed, "going through 100000 alarms", "no alarm is ringing\n"),
      (["delete", "1-3"], deleted, nil, "deleted #1-3\n"),
      (
        ["group", "delete", "Sunday", "--keep-alarms", "-y"], "{\"count\":2000,\"rang\":[],\"sequence\":8}",
        "going through 2000 alarms", "deleted the group 'Sunday'; kept 2000 alarms\n"
      ),
      (
        ["undo"],
        """
        {"change":"import","madeAt":1795210350000000,"own":true,"count":70000,"numbers":[],"missed":[],\
        "sequence":8}
        """, "going through 70000 alarms", "undone: added 70000 alarms, 2 min ago\n"
      ),
    ] as [([String], String, String?, String)])
  func underWay(_ words: [String], _ answer: String, _ line: String?, _ said: String) throws {
    let daemon = try Self.daemon(Self.reply(answer))
    defer { daemon.end() }
    let progress = line.map { "\r\($0) ...\u{1b}[K" + Self.clear } ?? ""
    #expect(Self.watched(words, daemon) == (progress + said, .success))
  }

  @Test("On a terminal a long wait for an answer says so")
  func waiting() throws {
    let said = DispatchSemaphore(value: 0)
    let daemon = try ScriptedDaemon { _ in
      said.wait()
      return Self.reply(Self.deleted)
    }
    defer { daemon.end() }
    let printed = Mutex("")
    let output = Output(colours: (false, false), showsProgress: true) { _, text in
      printed.withLock { $0 += text }
      if text.contains("waiting") { said.signal() }
    }
    var surroundings = Surroundings.test(output: output, directory: daemon.directory)
    surroundings.looks = [.zero]
    #expect(Eggctl.run(["delete", "1-3"], in: surroundings) == .success)
    #expect(printed.withLock { $0 } == "\rwaiting for eggd ...\u{1b}[K" + Self.clear + "deleted #1-3\n")
  }

  @Test("An export shows progress, but not on the terminal that it prints to")
  func export() throws {
    func page(_ number: Int, _ rest: String) -> String {
      """
      {"parameters":{"alarms":[{"number":\(number),"state":"scheduled","done":false,"category":"other",\
      "eggs":1}],"totals":{"alarms":2,"eggs":2}\(rest)
      """
    }
    let pages = [page(1, ",\"after\":1},\"continues\":true}"), page(2, "}}")]
    let script = [
      Self.reply("{\"groups\":[]}"), Self.reply("{\"daysOff\":[]}"), ScriptedDaemon.Answer.messages(pages),
    ]
    let lines = (1...2).map {
      """
      {"alarm":{"category":"other","done":false,"eggs":1,"number":\($0),"state":"scheduled"},\
      "occurrences":[]}

      """
    }
    for showsData in [false, true] {
      let daemon = try ScriptedDaemon(script)
      defer { daemon.end() }
      let (printed, status) = Self.watched(["export"], daemon, showsData: showsData)
      #expect(status == .success)
      #expect(printed == "\r1 of 2 alarms written\u{1b}[K" + Self.clear + lines.joined())
    }
  }

  private static func delete(_ numbers: [Int64], at daemon: ScriptedDaemon) throws -> DeleteReply {
    let output = Output(colours: (false, false)) { _, text in Issue.record("said \(text)") }
    return try Connection(.test(output: output, directory: daemon.directory))
      .change(DeleteCall(WireSelection(numbers: numbers)))
  }

  @Test("Numbers that fit a call are sent unchanged; more are refused")
  func tooMany() throws {
    let numbers = (1...16_320).map { Int64($0 * 2) }
    let totals = Self.reply("{\"alarms\":[],\"totals\":{\"alarms\":3,\"eggs\":3}}")
    let daemon = try ScriptedDaemon([totals, Self.reply(Self.deleted)])
    defer { daemon.end() }
    #expect(try Self.delete(numbers, at: daemon).deleted == [1, 2, 3])
    #expect(daemon.calls.last?.contains("ranges") == false)
    let refusal = Failure(
      .usage, "too many for one change: 16321 alarms",
      hint: "xargs -n 1000 splits them into several changes; a range (3-7) can have any length")
    #expect(throws: refusal) { try Self.delete(numbers + [32_642], at: daemon) }
    #expect(daemon.calls.count == 2)
  }

  @Test("The time-out is a minute plus a millisecond for each alarm")
  func allowance() {
    #expect(Surroundings.process.patience(0) == .seconds(60))
    #expect(Surroundings.process.patience(1_000_000) == .seconds(1_060))
  }
}
