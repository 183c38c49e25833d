import Testing

@testable import EggCommands

/// `again`, also for expressions whose reading has changed. The old alarms were created on 2026-11-20 at 20:34:30 UTC.
@Suite struct AgainTests {
  private static let made = "\"createdAt\":1795206870000000"

  private static func alarm(_ number: Int, _ members: String) -> String {
    """
    {"number":\(number),"state":"rung","done":false,"category":"other","eggs":1,\(members)}
    """
  }

  private static func reply(_ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"parameters\":\(parameters)}"])
  }

  private static func shown(_ members: String) -> ScriptedDaemon.Answer {
    reply("{\"alarm\":\(alarm(12, members)),\"occurrences\":[]}")
  }

  private static func made(_ members: String) -> ScriptedDaemon.Answer {
    reply("{\"alarm\":\(alarm(13, members).replacing("rung", with: "scheduled")),\"sequence\":2}")
  }

  /// The alarm scheduled from `1h30` now.
  private static let ninety = """
    "due":1795215870000000,"label":"tea","expression":"1h30","kind":"in","span":5400000000,"readingZone":"UTC",\
    "createdAt":1795210470000000
    """

  @Test("again reads the old alarm, then schedules the new one")
  func calls() throws {
    let old =
      "\"expression\":\"1h30\",\"kind\":\"in\",\"span\":5400000000,\"readingZone\":\"UTC\",\(Self.made)"
    let answers = [Self.shown(old), Self.made(Self.ninety)]
    let (run, calls) = try Run.eggctl("again", "12", answers: answers)
    #expect(run == .said("#13  2026. 11. 20. 23:04:30  in 1 h 30 min   tea\n"))
    #expect(calls.count == 2)
    #expect(calls.first?.contains("\"method\":\"io.eggd.Schedule.Show\"") == true)
    #expect(calls.last?.contains("\"method\":\"io.eggd.Schedule.Again\"") == true)
    #expect(calls.allSatisfy { $0.contains("\"number\":12") })
    #expect(try Run.eggctl("again", "12", "-q", answers: answers).run == .said("13\n"))
  }

  @Test("What is left of a count is said")
  func count() throws {
    let members =
      "\"expression\":\"daily\",\"kind\":\"every\",\"calendarEvent\":\"*-*-* 00:00:00\",\"zone\":\"UTC\",\"count\":3"
    let (run, _) = try Run.eggctl(
      "again", "12",
      answers: [
        Self.shown("\(members),\(Self.made)"),
        Self.made("\(members),\"due\":1795219200000000,\"createdAt\":1795210470000000"),
      ])
    #expect(run.messages.hasPrefix("eggctl: hint: it rings 3 times, as many as alarm 12 has left\n"))
  }

  @Test("An unknown alarm is named")
  func missing() throws {
    let answer = ScriptedDaemon.Answer.messages([
      "{\"error\":\"io.eggd.Schedule.NoSuchAlarm\",\"parameters\":{\"numbers\":[12],\"ids\":[]}}"
    ])
    #expect(
      try Run.eggctl("again", "12", answers: [answer]).run
        == .failed(.refused, "eggctl: error: there is no alarm 12\neggctl: hint: eggctl list\n"))
  }

  /// An expression, the old and the new alarm's stored fields, and both meanings, nil if they are equal.
  private static let meanings: [(text: String, old: String, new: String, words: String?)] = [
    (
      "1h30", "\"kind\":\"in\",\"span\":3630000000", "\"kind\":\"in\",\"span\":5400000000",
      "was 1 h 30 s when it was entered and is 1 h 30 min now"
    ),
    (
      "1h30", "\"kind\":\"in\",\"span\":3630000000,\"modifiedAt\":1795209870000000",
      "\"kind\":\"in\",\"span\":5400000000", "was 1 h 30 s when it was entered and is 1 h 30 min now"
    ),
    (
      "1 month", "\"kind\":\"in\",\"span\":2629800000000",
      "\"kind\":\"at\",\"civil\":\"2026-12-20 21:34:30\",\"zone\":\"UTC\"",
      "was 30 d 10 h 30 min when it was entered and is 2026. 12. 20. 21:34:30 now"
    ),
    (
      "Mon..Fri 7:30 pm", "\"kind\":\"every\",\"calendarEvent\":\"Mon..Fri *-*-* 07:30:00\",\"zone\":\"UTC\"",
      "\"kind\":\"every\",\"calendarEvent\":\"Mon..Fri *-*-* 19:30:00\",\"zone\":\"UTC\"",
      "was every Mon–Fri 07:30 when it was entered and is every Mon–Fri 19:30 now"
    ),
    (
      "7:30 pm", "\"kind\":\"at\",\"civil\":\"2026-11-21 07:30:00\",\"zone\":\"UTC\"",
      "\"kind\":\"at\",\"civil\":\"2026-11-21 19:30:00\",\"zone\":\"UTC\"",
      "was 2026. 11. 21. 07:30:00 when it was entered and is 2026. 11. 21. 19:30:00 now"
    ),
    // Extended by an hour
    (
      "7:30",
      "\"kind\":\"at\",\"civil\":\"2026-11-21 08:30:00\",\"zone\":\"UTC\",\"modifiedAt\":1795209870000000",
      "\"kind\":\"at\",\"civil\":\"2026-11-21 07:30:00\",\"zone\":\"UTC\"", nil
    ),
    (
      "tomorrow 7:30", "\"kind\":\"at\",\"civil\":\"2026-11-21 07:30:00\",\"zone\":\"UTC\"",
      "\"kind\":\"at\",\"civil\":\"2026-11-21 07:30:00\",\"zone\":\"UTC\"", nil
    ),
    (
      "every 2 weeks on mon 07:30",
      "\"kind\":\"every\",\"interval\":\"2w Mon 07:30:00 from 2026-11-23\",\"zone\":\"UTC\"",
      "\"kind\":\"every\",\"interval\":\"2w Mon 07:30:00 from 2026-11-30\",\"zone\":\"UTC\"", nil
    ),
  ]

  @Test("An expression whose reading has changed is reported with both meanings", arguments: meanings.indices)
  func differently(_ index: Int) throws {
    let row = Self.meanings[index]
    let text = "\"expression\":\"\(row.text)\",\"readingZone\":\"UTC\","
    let (run, _) = try Run.eggctl(
      "again", "12",
      answers: [
        Self.shown("\(text)\(Self.made),\(row.old)"),
        Self.made("\(text)\"due\":1795215870000000,\"createdAt\":1795210470000000,\(row.new)"),
      ])
    #expect(run.status == .success)
    #expect(run.messages == (row.words.map { "eggctl: hint: '\(row.text)' \($0)\n" } ?? ""))
  }

  @Test(
    "An expression with a forced kind is read as that kind: with --in a month stays an average one")
  func forcedKind() throws {
    let members = "\"expression\":\"1 month\",\"kind\":\"in\",\"forcedKind\":\"in\",\"span\":2629800000000"
    let (run, _) = try Run.eggctl(
      "again", "12",
      answers: [
        Self.shown("\(members),\(Self.made)"),
        Self.made("\(members),\"due\":1797840270000000,\"createdAt\":1795210470000000"),
      ])
    #expect(run.output == "#13  2026. 12. 21. 08:04:30  on Monday  in 30 d 10 h 30 min\n")
    #expect(
      run.messages == """
        eggctl: hint: a month is 30.44 days here and a year 365.25; for calendar months enter 'now + 1 month'
        eggctl: hint: eggctl undo takes it back

        """)
  }

  @Test("An expression that cannot be read is refused as it would be if it were typed")
  func unreadable() throws {
    let refusal = """
      {"error":"io.eggd.Schedule.InvalidExpression","parameters":{"expression":"5M","offset":1,\
      "reason":"not a unit of time","readings":[]}}
      """
    let old = "\"expression\":\"5M\",\"kind\":\"in\",\"span\":13149000000000,\(Self.made)"
    let (run, _) = try Run.eggctl("again", "12", answers: [Self.shown(old), .messages([refusal])])
    #expect(
      run
        == .failed(
          .usage,
          """
          eggctl: error: cannot read '5M' as a time: not a unit of time
            5M
             ^
          eggctl: hint: 6m30s, 07:30, tomorrow 07:30, 2026-12-24 18:00; more: eggctl help times

          """))
  }
}
