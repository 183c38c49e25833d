import Testing

@testable import EggCommands

@Suite("eggctl undo and redo")
struct UndoVerbTests {
  private static func undone(own: Bool, change: String = "delete", missed: String = "")
    -> ScriptedDaemon.Answer
  {
    ScriptedDaemon.Answer.reply(
      """
      {"change":"\(change)","madeAt":1795210350000000,"client":"python3","own":\(own),"count":2,\
      "numbers":[3,4],"label":"<b>\\u202eegg","missed":[\(missed)],"sequence":9}
      """)
  }

  @Test("undo names the undone change and what was missed")
  func undo() throws {
    let (run, calls) = try Run.eggctl(
      "undo", answers: [Self.undone(own: true), Self.undone(own: true, missed: "3,4")])
    #expect(
      run
        == .said(
          """
          undone: deleted #3 '<b>\\u{202e}egg', #4, 2 min ago, by python3
          missed meanwhile: #3, #4

          """))
    #expect(calls.first?.contains("\"preview\":true") == true)
    #expect(calls.last?.contains("\"sequence\":9") == true)
    let preview = try Run.eggctl("undo", "--preview", answers: [Self.undone(own: true, change: "import")]).run
    #expect(preview == .said("would undo: added #3 '<b>\\u{202e}egg', #4, 2 min ago, by python3\n"))
  }

  @Test("undo asks on a terminal before it undoes another's change")
  func undoAnother() throws {
    let answers = [Self.undone(own: false), Self.undone(own: false)]
    let (no, calls) = try Run.eggctl("undo", answers: answers, typed: ["n"])
    #expect(no.status == .refused)
    #expect(calls.count == 1)
    #expect(
      no.messages.hasPrefix(
        "undo another's change: deleted #3 '<b>\\u{202e}egg', #4, 2 min ago, by python3? [y/N] "))
    #expect(try Run.eggctl("undo", answers: answers, typed: ["y"]).run.status == .success)
    #expect(try Run.eggctl("undo", answers: answers).calls.count == 2)
    let nothing = ScriptedDaemon.Answer.messages(["{\"error\":\"io.eggd.Schedule.NothingToUndo\"}"])
    #expect(
      try Run.eggctl("undo", answers: [nothing]).run
        == .failed(.refused, "eggctl: error: there is nothing to undo\neggctl: hint: eggctl log\n"))
  }

  @Test("redo names the redone change, and asks first if another undid it")
  func redo() throws {
    let (run, calls) = try Run.eggctl(
      "redo", answers: [Self.undone(own: true), Self.undone(own: true, missed: "3")])
    #expect(
      run
        == .said(
          """
          redone: deleted #3 '<b>\\u{202e}egg', #4, undone 2 min ago, by python3
          missed meanwhile: #3

          """))
    #expect(calls.map { $0.contains("io.eggd.Schedule.Redo") } == [true, true])
    #expect(calls.last?.contains("\"sequence\":9") == true)
    let (no, asked) = try Run.eggctl("redo", answers: [Self.undone(own: false)], typed: ["n"])
    #expect(no.status == .refused)
    #expect(asked.count == 1)
    #expect(no.messages.hasPrefix("redo a change that another undid: deleted #3 '<b>\\u{202e}egg', #4, "))
    let preview = try Run.eggctl("redo", "--preview", answers: [Self.undone(own: true)]).run
    #expect(preview == .said("would redo: deleted #3 '<b>\\u{202e}egg', #4, undone 2 min ago, by python3\n"))
    let nothing = ScriptedDaemon.Answer.messages(["{\"error\":\"io.eggd.Schedule.NothingToUndo\"}"])
    #expect(
      try Run.eggctl("redo", answers: [nothing]).run
        == .failed(.refused, "eggctl: error: there is nothing to redo\neggctl: hint: eggctl log\n"))
  }
}
