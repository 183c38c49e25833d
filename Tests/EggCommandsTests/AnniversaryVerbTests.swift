import Testing

@testable import EggCommands

/// `anniversary` against a daemon that answers from a script. It is 2026-11-20 21:34:30 UTC.
@Suite struct AnniversaryVerbTests {
  private static func reply(_ number: Int, due: Int64, _ label: String, every: String? = nil) -> ScriptedDaemon.Answer {
    let timing = every.map { "\"kind\":\"every\",\"calendarEvent\":\"\($0)\"" } ?? "\"kind\":\"at\""
    return .messages([
      """
      {"parameters":{"alarm":{"number":\(number),"state":"scheduled","done":false,"category":"other","eggs":1,\
      "due":\(due),"label":"\(label)",\(timing),"createdAt":1795210470000000},"existed":false,"sequence":\(number)}}
      """
    ])
  }

  @Test("a child has three alarms: the 100th day, the first birthday, and each birthday after it")
  func child() throws {
    let (run, calls) = try Run.eggctl(
      "anniversary", "지우", "2026-11-19",
      answers: [
        Self.reply(15, due: 1_803_546_000_000_000, "지우 백일"),
        Self.reply(16, due: 1_826_614_800_000_000, "지우 돌"),
        Self.reply(17, due: 1_858_237_200_000_000, "지우 생일", every: "2028..2199-11-19 09:00:00"),
      ])
    #expect(
      run
        == .said(
          """
          #15  2027. 02. 25. 09:00:00  in 96 d 11 h   지우 백일
          #16  2027. 11. 19. 09:00:00  in 363 d 11 h   지우 돌
          #17  2028. 11. 19. 09:00:00  in 729 d 11 h   지우 생일

          """))
    let expected = [
      ["2027-02-25 09:00:00", "at", "지우 백일", "It is the 100th day (백일)!"],
      ["2027-11-19 09:00:00", "at", "지우 돌", "It is the first birthday (돌)!"],
      ["2028..2199-11-19 09:00:00", "every", "지우 생일", "It is the birthday (생일)!"],
    ]
    #expect(calls.count == expected.count)
    for (call, values) in zip(calls, expected) {
      for (name, value) in zip(["expression", "kind", "label", "body"], values) {
        #expect(call.contains("\"\(name)\":\"\(value)\""))
      }
      #expect(call.contains("\"zone\":\"UTC\""))
    }
  }
}
