import Testing

@testable import EggCommands

@Suite("--wake")
struct WakeTests {
  private static let moment = "1795214070000000"
  private static let alarm = """
    {"number":12,"state":"scheduled","done":false,"category":"other","eggs":1,"due":\(moment),\
    "createdAt":1795210470000000,"wake":true}
    """

  private static func status(_ wake: String?) -> ScriptedDaemon.Answer {
    let fields = wake.map { ",\"wake\":\"\($0)\",\"wakeAt\":\(moment)" } ?? ""
    return .messages([
      """
      {"parameters":{"version":"0.1.0","pid":42,"startedAt":1795206870000000,"now":1795210470000000,"sequence":7,\
      "totals":{"alarms":1,"eggs":1},"desktop":"shown","journal":true,"disk":"writable",\
      "database":"/db","zone":"UTC","connections":1,"linger":true\(fields)}}
      """
    ])
  }

  private static let scheduled = ScriptedDaemon.Answer.messages([
    "{\"parameters\":{\"alarm\":\(alarm),\"existed\":false,\"sequence\":1}}"
  ])

  @Test("schedule sends it, asks whether the machine wakes, and says nothing where it does")
  func wakes() throws {
    let (run, calls) = try Run.eggctl(
      "schedule", "1h", "--wake", answers: [Self.scheduled, Self.status("ready")])
    #expect(run == .said("#12  2026. 11. 20. 22:34:30  in 1 h\n"))
    #expect(calls.count == 2)
    #expect(calls.first?.contains("\"wake\":true") == true)
  }

  @Test(
    "schedule says where the machine will not wake, and what to type",
    arguments: [
      (
        "nobody", "eggd-wake is not enabled",
        "eggctl: hint: systemctl --user enable --now eggd-wake.socket\n"
      ),
      ("noAnswer", "eggd-wake does not answer", "eggctl: hint: journalctl -b -n 20 -g eggd-wake\n"),
      (
        "notPermitted", "eggd-wake lacks the capability CAP_WAKE_ALARM",
        "eggctl: hint: sudo systemctl enable --now eggd-wake@$USER.socket\n"
      ),
      ("noClock", "none of its clocks (RTC) can wake it", ""),
    ])
  func warns(state: String, problem: String, hint: String) throws {
    let run = try Run.eggctl("schedule", "1h", "--wake", answers: [Self.scheduled, Self.status(state)]).run
    #expect(run.status == .success)
    #expect(run.messages == "eggctl: this machine will not wake from suspend: \(problem)\n\(hint)")
  }

  @Test("--no-wake is sent; edit takes both", arguments: [("--wake", "true"), ("--no-wake", "false")])
  func edit(option: String, value: String) throws {
    let answer = ScriptedDaemon.Answer.messages([
      "{\"parameters\":{\"alarms\":[],\"count\":0,\"missing\":[],\"missingIds\":[],\"sequence\":1}}"
    ])
    let calls = try Run.eggctl("edit", "12", option, answers: [answer]).calls
    #expect(calls.first?.contains("\"wake\":\(value)") == true)
  }

  @Test("status and doctor tell whether the machine wakes, while an alarm asks for it")
  func health() throws {
    let ringing = ScriptedDaemon.Answer.nothingRings
    func status(_ wake: String?) throws -> String {
      try Run.eggctl("status", answers: [Self.status(wake), ringing]).run.output
    }
    #expect(try status("ready").contains("this machine wakes from suspend for 2026. 11. 20. 22:34:30\n"))
    #expect(
      try status("noClock").contains(
        "this machine will not wake from suspend for 2026. 11. 20. 22:34:30: none of its clocks (RTC) can wake it\n"
      ))
    #expect(try !status(nil).contains("suspend"))
    let doctor = try Run.eggctl("doctor", answers: [Self.status("notPermitted")]).run
    #expect(doctor.messages == "eggctl: error: failed checks: wake\n")
    #expect(
      doctor.output.contains(
        """
        wrong   wake       this machine will not wake from suspend: eggd-wake lacks the capability CAP_WAKE_ALARM
                           sudo systemctl enable --now eggd-wake@$USER.socket

        """))
  }
}
