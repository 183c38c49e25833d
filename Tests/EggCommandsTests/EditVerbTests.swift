import Testing

@testable import EggCommands

/// `edit` of a recurring alarm's bounds and days, with a scripted daemon.
@Suite struct EditVerbTests {
  private static let changed = ScriptedDaemon.Answer.reply(
    """
    {"alarms":[{"number":15,"state":"scheduled","done":false,"category":"other","eggs":1,"kind":"every"}],\
    "missing":[],"missingIds":[],"sequence":2}
    """)

  @Test("edit sends the bounds without a new time")
  func boundsAlone() throws {
    let (run, calls) = try Run.eggctl(
      "edit", "15", "--until", "2027-01-04 07:30", "--count", "3", answers: [Self.changed])
    #expect(run.status == .success, "\(run)")
    let call = try #require(calls.first)
    #expect(call.contains("\"until\":1799047800000000") && call.contains("\"count\":3"), "\(call)")
    #expect(!call.contains("expression"), "\(call)")
  }

  @Test("--until none removes the end")
  func endless() throws {
    let (run, calls) = try Run.eggctl("edit", "15", "--until", "none", answers: [Self.changed])
    #expect(run.status == .success, "\(run)")
    #expect(try #require(calls.first).contains("\"endless\":true"), "\(calls)")
  }

  @Test(
    "--until none is refused beside an end, and of what rings once",
    arguments: [
      (["edit", "15", "--until", "none", "--count", "2"], "--until none and --count exclude each other"),
      (
        ["edit", "15", "daily", "until", "friday", "--until", "none"],
        "--until none, but 'daily until friday' names an end"
      ),
      (
        ["schedule", "every 10 minutes 4 times", "--until", "none"],
        "--until none, but 'every 10 minutes 4 times' names an end"
      ),
      (
        ["schedule", "6m", "--until", "none"],
        "--from, --until and --count are for recurring alarms, and '6m' rings once"
      ),
    ])
  func endlessRefused(words: [String], message: String) {
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
    #expect(run.status == .usage)
    #expect(run.messages.hasPrefix("eggctl: error: \(message)\n"), "\(run)")
  }

  @Test(
    "edit of a one-shot refuses bounds and days off as schedule does",
    arguments: [
      (["--until", "2027-01-04"], "--from, --until and --count"),
      (["--except", "holidays"], "--except and --only-on"),
    ])
  func ofOneShot(options: [String], names: String) throws {
    let daemon = try ScriptedDaemon([
      .messages([
        """
        {"error":"io.eggd.Schedule.WrongState","parameters":{"number":12,"state":"scheduled"}}
        """
      ]),
      .reply(
        """
        {"alarm":{"number":12,"state":"scheduled","done":false,"category":"other","eggs":1,"expression":"07:30"},\
        "occurrences":[]}
        """),
    ])
    defer { daemon.end() }
    #expect(
      Run.run(["edit", "12"] + options, variables: ["XDG_RUNTIME_DIR": daemon.directory])
        == .failed(
          .usage,
          "eggctl: error: \(names) are for recurring alarms, and '07:30' rings once\neggctl: hint: eggctl help edit\n"
        ))
  }
}
