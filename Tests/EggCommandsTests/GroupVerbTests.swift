import Testing

@testable import EggCommands

@Suite("eggctl group")
struct GroupVerbTests {
  private static let group = """
    {"name":"일요일 🥚","color":"yellow","icon":"egg","alarms":5,"done":3,"eggs":7,"next":1795210475000000}
    """

  @Test("group shows progress, eggs and the next moment, also with wide names")
  func groups() throws {
    let second = """
      {"name":"empty","alarms":0,"done":0,"eggs":0}
      """
    let run = try Run.eggctl(
      "group", answers: [ScriptedDaemon.Answer.reply("{\"groups\":[\(Self.group),\(second)]}")]
    ).run
    #expect(
      run
        == .said(
          """
          GROUP          DONE                        EGGS   NEXT
          일요일 🥚      ██████░░░░   60 %  3 of 5      7   in 5 s
          empty          ░░░░░░░░░░    0 %  0 of 0      0

          """))
    let narrow = try Run.eggctl(
      "group", answers: [ScriptedDaemon.Answer.reply("{\"groups\":[\(Self.group),\(second)]}")], columns: 40
    ).run
    #expect(
      narrow
        == .said(
          """
          GROUP      DONE           NEXT
          일요일 🥚   60 %  3 of 5  in 5 s
          empty        0 %  0 of 0

          """))
    let names = try Run.eggctl(
      "group", "list", "-q", answers: [ScriptedDaemon.Answer.reply("{\"groups\":[\(Self.group),\(second)]}")]
    ).run
    #expect(names == .said("일요일 🥚\nempty\n"))
    let none = try Run.eggctl("group", "list", answers: [ScriptedDaemon.Answer.reply("{\"groups\":[]}")]).run
    #expect(none.output == "no groups yet\n")
    #expect(none.messages == "eggctl: hint: eggctl group create Sunday --color yellow\n")
  }

  @Test("group show lists its alarms, recurring ones as such")
  func show() throws {
    let answers = [
      ScriptedDaemon.Answer.reply("{\"groups\":[\(Self.group)]}"),
      .reply(
        """
        {"alarms":[{"number":3,"state":"scheduled","done":false,"category":"other","eggs":1,"kind":"every"}],\
        "totals":{"alarms":1,"eggs":1}}
        """),
    ]
    let (run, calls) = try Run.eggctl("group", "show", "일요일 🥚", answers: answers)
    #expect(run.output.hasSuffix("   1  ↻\n"), "\(run)")
    #expect(try #require(calls.last).contains("\"kind\""))
  }

  @Test("list takes one group")
  func twoGroups() {
    #expect(
      Run.alone("list", "--group", "a", "--group", "b")
        == .failed(
          .usage, "eggctl: error: an alarm has one group: give --group once\neggctl: hint: eggctl help list\n"
        ))
  }

  @Test("A group's colour is shown on terminals only")
  func colour() throws {
    let answers = [ScriptedDaemon.Answer.reply("{\"groups\":[\(Self.group)]}")]
    let run = try Run.eggctl("group", answers: answers, colours: true).run
    #expect(run.output.contains("\u{1b}[33m일요일 🥚\u{1b}[0m"))
    #expect(try !Run.eggctl("group", answers: answers).run.output.contains("\u{1b}"))
  }

  @Test("group create, rename and edit send their arguments")
  func changeGroup() throws {
    let answer = [ScriptedDaemon.Answer.reply("{\"group\":\(Self.group),\"sequence\":3}")]
    let (made, create) = try Run.eggctl(
      "group", "create", "일요일 🥚", "--color", "yellow", "--icon", "egg", answers: answer)
    #expect(made.output.contains("일요일 🥚      ██████░░░░   60 %  3 of 5      7   in 5 s\n"))
    #expect(create.first?.contains("CreateGroup") == true)
    for member in ["\"color\":\"yellow\"", "\"icon\":\"egg\"", "\"name\":\"일요일 🥚\""] {
      #expect(create.first?.contains(member) == true)
    }
    let rename = try Run.eggctl("group", "rename", "a", "b", answers: answer).calls
    #expect(rename.first?.contains("\"newName\":\"b\"") == true)
    let edit = try Run.eggctl("group", "edit", "a", "--no-color", "--icon", "", answers: answer).calls
    #expect(edit.first?.contains("\"plain\":true") == true)
    #expect(edit.first?.contains("\"icon\":\"\"") == true)
    #expect(
      try Run.eggctl("group", "edit", "a").run
        == .failed(
          .usage, "eggctl: error: no change was given\neggctl: hint: eggctl help group edit\n"))
    let bad = try Run.eggctl("group", "create", "a\u{7}b").run
    #expect(
      bad
        == .failed(
          .usage,
          "eggctl: error: the group contains control characters\neggctl: hint: eggctl help group create\n"))
  }

  @Test("A group with alarms is deleted only with an option for its alarms, and after a question")
  func deleteGroup() throws {
    let listed = ScriptedDaemon.Answer.reply("{\"groups\":[\(Self.group)]}")
    let deleted = ScriptedDaemon.Answer.reply("{\"count\":5,\"rang\":[3],\"sequence\":9}")
    #expect(
      try Run.eggctl("group", "delete", "Sunday", answers: [listed], typed: ["y"]).run
        == .failed(
          .usage,
          """
          eggctl: error: 'Sunday' has 5 alarms: give --keep-alarms or --delete-alarms
          eggctl: hint: eggctl group delete Sunday --keep-alarms

          """))
    let (run, calls) = try Run.eggctl(
      "group", "delete", "Sunday", "--delete-alarms", answers: [listed, deleted], typed: ["y"])
    #expect(run.output == "deleted the group 'Sunday' and 5 alarms · had already rung: #3\n")
    #expect(run.messages == "delete the group 'Sunday' and its 5 alarms? [y/N] ")
    #expect(calls.last?.contains("\"alarms\":\"delete\"") == true)
    let kept = try Run.eggctl(
      "group", "delete", "Sunday", "--keep-alarms", "-y",
      answers: [listed, ScriptedDaemon.Answer.reply("{\"count\":5,\"rang\":[],\"sequence\":9}")]
    ).run
    #expect(kept == .said("deleted the group 'Sunday'; kept 5 alarms\n"))
    let no = try Run.eggctl(
      "group", "delete", "Sunday", "--keep-alarms", answers: [listed], typed: ["n"]
    ).run
    #expect(no.status == .refused)
  }
}
