import Testing

@testable import EggCommands

/// `eggctl wait` with a scripted daemon.
@Suite struct WaitTests {
  private static func told(rang: String = "", deleted: String = "", isLast: Bool = false) -> String {
    "{\"parameters\":{\"rang\":[\(rang)],\"deleted\":[\(deleted)],\"sequence\":7}"
      + (isLast ? "}" : ",\"continues\":true}")
  }

  private static let waits = told()
  private static let gone = ScriptedDaemon.Answer.messages([
    "{\"error\":\"io.eggd.Schedule.NoSuchAlarm\",\"parameters\":{\"numbers\":[12],\"ids\":[]}}"
  ])

  @Test("wait asks for all its alarms and says which rang")
  func rang() throws {
    let answer = ScriptedDaemon.Answer.messages([
      Self.waits, Self.told(rang: "13"), Self.told(rang: "13,12", isLast: true),
    ])
    let (run, calls) = try Run.eggctl("wait", "12", "#13", answers: [answer])
    #expect(run == .said("rang: #13, #12\n"))
    #expect(calls.count == 1)
    let call = try #require(calls.first)
    for part in ["io.eggd.Schedule.Wait", "[12,13]", "\"since\":1795210470000000", "\"more\":true"] {
      #expect(call.contains(part))
    }
    #expect(!call.contains("any"))
    #expect(try Run.eggctl("wait", "12", "13", "-q", answers: [answer]).run == .said("13\n12\n"))
    #expect(
      try Run.eggctl("wait", "12", "13", "--json", answers: [answer]).run
        == .said("{\"deleted\":[],\"rang\":[13,12],\"sequence\":7}\n"))
  }

  @Test(
    "The terminal's bell rings with each alarm, except with --no-bell or without a terminal")
  func bell() throws {
    let answer = ScriptedDaemon.Answer.messages([
      Self.waits, Self.told(rang: "13"), Self.told(rang: "13,12", isLast: true),
    ])
    func bells(_ words: String..., terminal: Output.Channel?) throws -> Run {
      let daemon = try ScriptedDaemon([answer])
      defer { daemon.end() }
      return Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory], terminal: terminal)
    }
    let run = try bells("wait", "12", "13", terminal: .messages)
    #expect(run == Run(status: .success, output: "rang: #13, #12\n", messages: "\u{7}\u{7}"))
    #expect(try bells("wait", "12", "13", "--no-bell", terminal: .messages).messages.isEmpty)
    #expect(try bells("wait", "12", "13", terminal: nil) == .said("rang: #13, #12\n"))
  }

  @Test("wait exits with 2 if an alarm was deleted, and says which")
  func deleted() throws {
    let one = ScriptedDaemon.Answer.messages([Self.waits, Self.told(deleted: "12", isLast: true)])
    #expect(
      try Run.eggctl("wait", "12", answers: [one]).run
        == .failed(.deleted, "eggctl: error: #12 was deleted before it rang\n"))
    let both = ScriptedDaemon.Answer.messages([Self.told(rang: "14", deleted: "12,13", isLast: true)])
    #expect(
      try Run.eggctl("wait", "12", "13", "14", answers: [both]).run
        == Run(
          status: .deleted, output: "rang: #14\n",
          messages: "eggctl: error: #12, #13 were deleted before they rang\n"))
    let first = try Run.eggctl("wait", "12", "13", "--any", answers: [one])
    #expect(first.run.status == .deleted)
    #expect(first.calls.first?.contains("\"any\":true") == true)
  }

  @Test("After a lost connection wait asks for the remaining alarms, since the first call")
  func reconnects() throws {
    let (run, calls) = try Run.eggctl(
      "wait", "12", "13",
      answers: [
        .lastMessages([Self.waits, Self.told(rang: "12")]), .hangUp,
        .messages([Self.told(rang: "13", isLast: true)]),
      ])
    #expect(run == .said("rang: #12, #13\n"))
    #expect(calls.count == 3)
    #expect(calls.allSatisfy { $0.contains("\"since\":1795210470000000") })
    #expect(calls.map { $0.contains("[12,13]") } == [true, false, false])
    #expect(calls.map { $0.contains("[13]") } == [false, true, true])
  }

  @Test("An alarm that is gone when eggd is back was deleted; the others are waited for")
  func deletedMeanwhile() throws {
    let (run, calls) = try Run.eggctl(
      "wait", "12", "13",
      answers: [
        .lastMessages([Self.waits]), Self.gone, .messages([Self.told(rang: "13", isLast: true)]),
      ])
    #expect(
      run
        == Run(
          status: .deleted, output: "rang: #13\n",
          messages: "eggctl: error: #12 was deleted before it rang\n"))
    #expect(calls.last?.contains("[13]") == true)
  }

  @Test("An unknown alarm, and one that will not ring, exit with 1")
  func refused() throws {
    #expect(
      try Run.eggctl("wait", "12", answers: [Self.gone]).run
        == .failed(.refused, "eggctl: error: there is no alarm 12\neggctl: hint: eggctl list\n"))
    let skipped = ScriptedDaemon.Answer.messages([
      Self.waits,
      "{\"error\":\"io.eggd.Schedule.WrongState\",\"parameters\":{\"number\":12,\"state\":\"skipped\"}}",
    ])
    #expect(
      try Run.eggctl("wait", "12", answers: [skipped]).run
        == .failed(
          .refused,
          """
          eggctl: error: alarm 12 is skipped: it will not ring as things stand
          eggctl: hint: eggctl show 12

          """))
  }

  @Test("wait exits with 75 at the time-out")
  func timeout() throws {
    let (run, _) = try Run.eggctl("wait", "12", "--timeout", "1ms", answers: [.messages([Self.waits])])
    #expect(run == .failed(.timeout, "eggctl: error: #12 did not ring within 1ms\n"))
  }

  @Test("A rung alarm counts at once, even with a time-out of zero")
  func noTime() throws {
    let rang = ScriptedDaemon.Answer.messages([Self.told(rang: "12", isLast: true)])
    #expect(
      try Run.eggctl("wait", "12", "--timeout", "0s", answers: [rang]).run == .said("rang: #12\n"))
    #expect(
      try Run.eggctl("wait", "12", "--timeout", "0s", answers: [.messages([Self.waits])]).run
        == .failed(.timeout, "eggctl: error: #12 did not ring within 0s\n"))
  }

  @Test("A silent eggd delays a wait with a time-out no longer than any other call")
  func silence() throws {
    let run = try Run.eggctl(
      "wait", "12", "--timeout", "1ms", answers: [.silence], patience: { _ in .milliseconds(2) }
    ).run
    #expect(
      run
        == .failed(
          .timeout,
          "eggctl: error: eggd did not answer in time\neggctl: hint: systemctl --user status eggd\n"))
  }

  @Test("wait takes single alarms and a span")
  func usage() {
    #expect(Run.alone("wait").status == .usage)
    #expect(Run.alone("wait", "3-7").messages.contains("eggctl wait {3..7}"))
    #expect(Run.alone("wait", "12", "--timeout", "07:30").status == .usage)
    #expect(Run.alone("wait", "12").status == .unavailable)
  }
}
