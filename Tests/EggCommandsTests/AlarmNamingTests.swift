import Foundation
import Testing

@testable import EggCommands

/// Alarms that are named by their labels, or not at all.
@Suite struct AlarmNamingTests {
  private struct Listed {
    var number: Int
    var state: String
    var label: String

    var json: String {
      """
      {"number":\(number),"state":"\(state)","done":false,"category":"other","eggs":1,"kind":"at",\
      "expression":"10m","label":"\(label)"}
      """
    }
  }

  /// The alarms that the daemon has; it answers other calls with none changed.
  private static func run(_ words: [String], among alarms: [Listed]) throws -> (run: Run, call: String) {
    let daemon = try ScriptedDaemon(answering: { call in
      if call.contains("Schedule.Show\"") {
        let number = call.firstMatch(of: /"number":([0-9]+)/).flatMap { Int($0.output.1) }
        let found = alarms.first { $0.number == number }
        return found.map { .reply("{\"alarm\":\($0.json),\"occurrences\":[]}") }
          ?? .messages([
            "{\"error\":\"io.eggd.Schedule.NoSuchAlarm\",\"parameters\":{\"numbers\":[10],\"ids\":[]}}"
          ])
      }
      guard call.contains("Schedule.List\"") else {
        if call.contains("Schedule.History\"") { return .reply("{\"past\":[]}") }
        let counted =
          call.contains("Schedule.Delete\"") ? "\"count\":0,\"deleted\":[],\"rang\":[]" : "\"alarms\":[]"
        return .messages(["{\"parameters\":{\(counted),\"missing\":[],\"missingIds\":[],\"sequence\":2}}"])
      }
      let states = call.firstMatch(of: /"states":\[([^\]]*)\]/)?.output.1
      let found = alarms.filter { states?.contains("\"\($0.state)\"") ?? true }
      return .messages([
        "{\"parameters\":{\"alarms\":[\(found.map(\.json).joined(separator: ","))],\"totals\":{\"alarms\":0,\"eggs\":0}}}"
      ])
    })
    defer { daemon.end() }
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    return (run, daemon.calls.last ?? "")
  }

  private static let day = [
    Listed(number: 3, state: "scheduled", label: "Tea"), Listed(number: 4, state: "rung", label: "tea"),
    Listed(number: 5, state: "rung", label: "rice"), Listed(number: 6, state: "scheduled", label: "10m"),
    Listed(number: 7, state: "ringing", label: "two soft ones"),
    Listed(number: 8, state: "scheduled", label: "달걀"), Listed(number: 9, state: "paused", label: "eggs"),
  ]

  @Test(
    "A label names the alarm that the verb fits, in any case; numbers and the verb's own words win",
    arguments: [
      (["skip", "TEA"], "Skip", [3]), (["delete", "rice"], "Delete", [5]),
      (["delete", "달걀", "3"], "Delete", [3, 8]),
      (["snooze", "two soft ones", "10m"], "Snooze", [7]), (["snooze", "10m"], "Snooze", [7]),
      (["snooze"], "Snooze", [7]), (["snooze", "10", "minutes"], "Snooze", [7]),
      (["snooze", "until", "tomorrow", "9:00"], "Snooze", [7]),
      (["snooze", "two soft ones", "until", "9:00"], "Snooze", [7]),
      (["dismiss"], "Dismiss", [7]),
      (["resume", "eggs"], "Resume", [9]), (["done", "Rice"], "MarkDone", [5]),
      (["move", "rice", "--before", "EGGS"], "Move", [5]),
      (["edit", "rice", "eggs", "--eggs", "2"], "Edit", [5, 9]),
      (["edit", "rice", "8m"], "Edit", [5]), (["edit", "rice", "--eggs", "3"], "Edit", [5]),
      // None that fits: eggd says why.
      (["skip", "rice"], "Skip", [5]), (["dismiss", "달걀"], "Dismiss", [8]),
    ])
  func named(_ words: [String], _ verb: String, _ numbers: [Int]) throws {
    let (run, call) = try Self.run(words, among: Self.day)
    #expect(call.contains("Schedule.\(verb)\""), "\(run.messages)")
    let sent = call.firstMatch(of: /"numbers":\[([0-9,]*)\]/)?.output.1.split(separator: ",").compactMap {
      Int($0)
    }
    #expect(sent?.sorted() == numbers)
  }

  @Test("Several that fit are named with a command for each, and nothing changes")
  func several() throws {
    let (labels, call) = try Self.run(["delete", "tea"], among: Self.day)
    #expect(
      labels
        == .failed(
          .usage,
          """
          eggctl: error: which alarm? 'tea' is the label of #3, #4
          eggctl: hint: eggctl delete 3, or eggctl delete 4

          """))
    #expect(call.contains("Schedule.List\""))
    let two = Self.day + [Listed(number: 12, state: "ringing", label: "pasta")]
    for words in [["snooze"], ["dismiss"], ["again"], ["snooze", "10m"]] {
      let ringing = try Self.run(words, among: two).run
      let span = words.dropFirst().map { " " + $0 }.joined()
      let all = words == ["again"] ? "" : "eggctl \(words[0])\(span) --all, or "
      #expect(ringing.status == .usage)
      #expect(
        ringing.messages == """
          eggctl: error: which alarm? #7 (two soft ones), #12 (pasta) are ringing
          eggctl: hint: \(all)eggctl \(words[0]) 7\(span), or eggctl \(words[0]) 12\(span)

          """)
    }
  }

  @Test("history takes a label, too")
  func history() throws {
    let call = try Self.run(["history", "rice"], among: Self.day).call
    #expect(call.contains("Schedule.History\"") && call.contains("\"number\":5"), "\(call)")
  }

  @Test("move puts alarms next to one that a label names, and says which if several have it")
  func next() throws {
    let call = try Self.run(["move", "3", "--after", "RICE"], among: Self.day).call
    #expect(call.contains("Schedule.Move\"") && call.contains("\"other\":5"), "\(call)")
    let two = Self.day + [Listed(number: 12, state: "scheduled", label: "Rice")]
    let several = try Self.run(["move", "3", "--after", "rice"], among: two).run
    #expect(
      several.messages.hasSuffix(
        "hint: eggctl move 3 --after 5, or eggctl move 3 --after 12\n"), "\(several)")
  }

  @Test(
    "Where several have a label, the hint is the command as it was typed, with a number; none for what is named already",
    arguments: [
      (["edit", "tea", "5m"], "eggctl edit 3 5m, or eggctl edit 4 5m"),
      (
        ["edit", "tea", "--note", "two bags"],
        "eggctl edit 3 --note \"two bags\", or eggctl edit 4 --note \"two bags\""
      ),
      (["move", "tea", "--top"], "eggctl move 3 --top, or eggctl move 4 --top"),
      (["move", "5", "--before=tea"], #"eggctl move 5 "--before=3", or eggctl move 5 "--before=4""#),
      (["move", "3", "--before", "tea"], "eggctl move 3 --before 4"),
    ])
  func typed(words: [String], hint: String) throws {
    #expect(try Self.run(words, among: Self.day).run.messages.hasSuffix("\neggctl: hint: \(hint)\n"))
  }

  @Test("A number behind the alarms to snooze that names none is refused with minutes, and nothing changes")
  func noAlarm() throws {
    for words in [["snooze", "7", "10"], ["snooze", "two soft ones", "10"]] {
      let (run, call) = try Self.run(words, among: Self.day)
      #expect(
        run
          == .failed(
            .refused, "eggctl: error: there is no alarm 10\neggctl: hint: eggctl snooze 7 10m\n"))
      #expect(call.contains("Schedule.Show\""))
    }
  }

  @Test("log asks the journal for the alarm that a label names")
  func log() throws {
    let daemon = try ScriptedDaemon([
      .reply("{\"alarms\":[\(Self.day[2].json)],\"totals\":{\"alarms\":0,\"eggs\":0}}")
    ])
    defer { daemon.end() }
    var asked: [String] = []
    _ = Run.run(
      ["log", "Rice"], variables: ["XDG_RUNTIME_DIR": daemon.directory],
      printing: {
        asked = $0
        return ([], 0)
      })
    #expect(asked.contains("EGG_ALARM_NUMBER=5"), "\(asked)")
  }

  @Test(
    "A word that names no alarm is quoted",
    arguments: [
      ["edit", "foo", "9m"], ["extend", "foo", "9m"], ["snooze", "foo", "9m"],
      ["edit", "foo", "--eggs", "2"],
    ])
  func unknown(words: [String]) throws {
    #expect(
      try Self.run(words, among: Self.day).run.messages.hasPrefix("eggctl: error: 'foo' is not an alarm\n"))
  }

  @Test("A bare number behind a label may be minutes, so snooze asks which is meant")
  func minutes() throws {
    let (run, call) = try Self.run(["snooze", "two soft ones", "5"], among: Self.day)
    #expect(
      run
        == .failed(
          .usage,
          """
          eggctl: error: '5' may be an alarm or part of the time
          eggctl: hint: eggctl snooze 7 5m, or eggctl snooze 7 5

          """))
    #expect(call.contains("Schedule.Show\""))
  }

  @Test("Where nothing rings and no label fits, that is said")
  func none() throws {
    let quiet = Self.day.filter { $0.state != "ringing" }
    #expect(
      try Self.run(["snooze"], among: quiet).run
        == .failed(.refused, "eggctl: error: no alarm is ringing\neggctl: hint: eggctl list\n"))
    #expect(
      try Self.run(["delete", "eg"], among: quiet).run
        == .failed(
          .refused,
          """
          eggctl: error: 'eg' is not an alarm
          eggctl: hint: give a number (12), a range (3-7), a label or a UUID; eggctl list shows the alarms

          """))
  }
}
