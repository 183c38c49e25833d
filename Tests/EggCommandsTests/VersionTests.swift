import Testing

@testable import EggCommands

@Suite("An eggd of another version")
struct VersionTests {
  private static func error(_ name: String, _ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"error\":\"\(name)\",\"parameters\":\(parameters)}"])
  }

  private static let restart = "eggctl: hint: systemctl --user restart eggd\n"

  @Test(
    "One that lacks the method is older and must be restarted",
    arguments: [
      (["undo"], "Undo"), (["redo"], "Redo"), (["group", "create", "Sunday"], "CreateGroup"),
      (["group"], "ListGroups"),
      (["move", "3", "--top"], "Move"), (["wait", "3"], "Wait"), (["monitor"], "Subscribe"),
      (["next", "--follow"], "Subscribe"), (["done", "3"], "MarkDone"),
    ])
  func olderMethod(_ words: [String], _ method: String) throws {
    let answer = Self.error(
      "org.varlink.service.MethodNotFound", "{\"method\":\"io.eggd.Schedule.\(method)\"}")
    let daemon = try ScriptedDaemon([answer])
    defer { daemon.end() }
    #expect(
      Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
        == .failed(
          .protocolError,
          "eggctl: error: the running eggd is older than this eggctl: it has no method \(method)\n"
            + Self.restart))
  }

  @Test("One whose interface lacks a parameter is older too")
  func olderParameter() throws {
    let description = """
      interface io.eggd.Schedule\\nmethod Schedule(expression: string) -> (sequence: int)\\n\
      method List(limit: ?int) -> (sequence: int)\\n
      """
    for (words, what) in [
      (["schedule", "6m", "--group", "Sunday"], "'group' in Schedule"),
      (["list", "--today"], "'dueFrom' in List"),
    ] {
      let parameter = what.split(separator: "'")[0]
      let daemon = try ScriptedDaemon([
        Self.error("org.varlink.service.InvalidParameter", "{\"parameter\":\"\(parameter)\"}"),
        .messages(["{\"parameters\":{\"description\":\"\(description)\"}}"]),
      ])
      defer { daemon.end() }
      #expect(
        Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
          == .failed(
            .protocolError,
            "eggctl: error: the running eggd is older than this eggctl: it has no \(what)\n" + Self.restart)
      )
      #expect(daemon.calls.last?.contains("org.varlink.service.GetInterfaceDescription") == true)
    }
  }

  @Test("A refused value of a known parameter is not blamed on the version")
  func refusedValue() throws {
    let description = "interface io.eggd.Schedule\\nmethod Schedule(eggs: ?int) -> (sequence: int)\\n"
    let run = try Run.eggctl(
      "hungry",
      answers: [
        Self.error("org.varlink.service.InvalidParameter", "{\"parameter\":\"eggs\"}"),
        .messages(["{\"parameters\":{\"description\":\"\(description)\"}}"]),
      ]
    ).run
    #expect(
      run
        == .failed(
          .usage,
          "eggctl: error: eggd does not accept the value of 'eggs'\neggctl: hint: eggctl help hungry\n"))
  }

  @Test("One that sends an unknown error is newer")
  func newerError() throws {
    let answer = Self.error("io.eggd.Schedule.Overcooked", "{\"by\":3}")
    #expect(
      try Run.eggctl("hungry", answers: [answer], disagrees: true).run
        == .failed(
          .protocolError,
          """
          eggctl: error: the running eggd is newer than this eggctl: unknown error Overcooked
          eggctl: hint: install the same version of eggctl; type -a eggctl lists all that are installed

          """))
  }

  @Test("Unknown fields and values are ignored")
  func newerReply() throws {
    let alarm = """
      {"number":3,"state":"hatching","done":false,"category":"poached","eggs":1,"label":"new","kind":"never",\
      "expression":"6m","sparkle":{"deep":[1,2]},"latest":{"id":1,"dueAt":1795210860000000,"outcome":"sung",\
      "firedAt":1795210860000000,"lateness":9000000,"lateReason":"full moon","volume":11}}
      """
    let reply =
      "{\"parameters\":{\"alarms\":[\(alarm)],\"totals\":{\"alarms\":1,\"eggs\":1,\"hens\":2},\"page\":1}}"
    let list = try Run.eggctl("list", answers: [.messages([reply])], disagrees: true).run
    #expect(list.status == .success)
    #expect(list.messages.isEmpty)
    #expect(list.output.contains("new"))
    let show = try Run.eggctl(
      "show", "3",
      answers: [.messages(["{\"parameters\":{\"alarm\":\(alarm),\"occurrences\":[],\"mood\":\"good\"}}"])],
      disagrees: true
    ).run
    #expect(show.status == .success)
    #expect(show.messages.isEmpty)
  }

  @Test("status names both versions if they differ")
  func status() throws {
    func status(_ version: String) throws -> Run {
      try Run.eggctl(
        "status",
        answers: [
          .messages([
            """
            {"parameters":{"version":"\(version)","pid":1,"startedAt":1795210470000000,"now":1795210471000000,\
            "sequence":1,"totals":{"alarms":0,"eggs":0},"desktop":"shown","server":"dunst","journal":true,\
            "disk":"writable","database":"/db","zone":"UTC","connections":1,"linger":true}}
            """
          ])
        ]
      ).run
    }
    #expect(
      try status("9.0").output.hasPrefix("eggd       9.0, process 1, running for 1 s; this eggctl is 0.1.0\n")
    )
    #expect(try status("0.1.0").output.hasPrefix("eggd       0.1.0, process 1, running for 1 s\n"))
  }
}
