import Foundation
import Testing

@testable import EggCommands

/// `daysoff`, with a scripted daemon.
@Suite struct DaysOffVerbTests {
  private static func reply(_ days: String, moved: Int = 0) -> ScriptedDaemon.Answer {
    .reply("{\"daysOff\":\(days),\"moved\":\(moved),\"sequence\":2}")
  }

  private static let trip = """
    {"name":"trip","count":10,"next":"2026-12-24","alarms":2}
    """

  @Test("add sends both days and says how many alarms moved")
  func add() throws {
    let (run, calls) = try Run.eggctl(
      "daysoff", "add", "2026-12-24", "--until", "2027-01-02", "--name", "trip",
      answers: [Self.reply(Self.trip, moved: 2)])
    #expect(run == .said("trip: 10 days, the next on 24 Dec · moved 2 alarms\n"))
    #expect(try #require(calls.first).contains("\"days\":[\"2026-12-24..2027-01-02\"]"), "\(calls)")
  }

  /// A year of Christmas from 2010 on, and an hour on one day.
  private static let calendar = """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    UID:1
    DTSTART;VALUE=DATE:20101225
    RRULE:FREQ=YEARLY;UNTIL=20271225
    SUMMARY:Christmas
    END:VEVENT
    BEGIN:VEVENT
    UID:2
    DTSTART:20270301T090000
    DURATION:PT1H
    SUMMARY:dentist
    END:VEVENT
    END:VCALENDAR

    """

  /// Imports a file of that name.
  private static func imported(
    _ text: String, as name: String, _ options: [String] = [], answers: [ScriptedDaemon.Answer] = []
  ) throws -> (run: Run, calls: [String]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "eggs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    let daemon = try ScriptedDaemon(answers)
    defer { daemon.end() }
    let run = Run.run(
      ["daysoff", "import", file.path] + options, variables: ["XDG_RUNTIME_DIR": daemon.directory])
    return (run, daemon.calls)
  }

  @Test(
    "import sends the whole days from today on, under the file's name or a given one, and names what is none",
    arguments: [([], "holidays"), (["--name", "off"], "off")])
  func imports(options: [String], name: String) throws {
    let (run, calls) = try Self.imported(
      Self.calendar, as: "holidays.ics", options, answers: [Self.reply(Self.trip)])
    #expect(run.output == "trip: 10 days, the next on 24 Dec\n")
    #expect(run.messages == "eggctl: line 10: 'dentist': it takes up no whole day\n")
    let call = try #require(calls.first)
    #expect(call.contains("ImportDaysOff"))
    #expect(call.contains("\"name\":\"\(name)\""))
    #expect(call.contains("\"days\":[\"2026-12-25\",\"2027-12-25\"]"))
  }

  @Test("import refuses a file without whole days, and standard input without a name")
  func nothingImported() throws {
    let (run, calls) = try Self.imported("BEGIN:VCALENDAR\nEND:VCALENDAR\n", as: "empty.ics")
    #expect(run.status == .usage)
    #expect(run.messages.contains("has no whole days from today on; nothing was changed"))
    #expect(calls.isEmpty)
    #expect(
      Run.alone("daysoff", "import", "-").messages == """
        eggctl: error: days off need a name
        eggctl: hint: eggctl daysoff import - --name holidays

        """)
  }

  @Test("Days off that no alarm names come with the next command")
  func unused() throws {
    let run = try Run.eggctl(
      "daysoff", "add", "2026-12-24", "--name", "trip",
      answers: [Self.reply(Self.trip.replacing("\"alarms\":2", with: "\"alarms\":0"))]
    ).run
    #expect(run.output == "trip: 10 days, the next on 24 Dec\n")
    #expect(run.messages == "eggctl: hint: eggctl edit NUMBER --except trip\n")
  }

  @Test("daysoff lists names, days, the next day and how many alarms name them")
  func list() throws {
    let answer = ScriptedDaemon.Answer.reply(
      "{\"daysOff\":[{\"name\":\"holidays\",\"count\":510,\"next\":\"2028-12-25\",\"alarms\":0},\(Self.trip)]}"
    )
    #expect(
      try Run.eggctl("daysoff", answers: [answer]).run
        == .said(
          """
          NAME           DAYS   NEXT          ALARMS
          holidays        510   25 Dec 2028        0
          trip             10   24 Dec             2

          """))
    #expect(try Run.eggctl("daysoff", "list", "-q", answers: [answer]).run == .said("holidays\ntrip\n"))
  }

  @Test("daysoff list NAME shows the days")
  func days() throws {
    let answer = ScriptedDaemon.Answer.reply(
      """
      {"daysOff":[{"name":"trip","count":12,"alarms":2,"days":["2026-12-24..2027-01-02","2027-03-01","2027-12-24"]}]}
      """)
    #expect(
      try Run.eggctl("daysoff", "list", "trip", answers: [answer]).run
        == .said("24 Dec – 2 Jan\n1 Mar\n24 Dec 2027\n"))
  }

  @Test("Without days off, daysoff says how to add some")
  func none() throws {
    let run = try Run.eggctl("daysoff", answers: [.reply("{\"daysOff\":[]}")]).run
    #expect(run.output == "no days off yet\n")
    #expect(
      run.messages == "eggctl: hint: eggctl daysoff add \"24 dec\" --until \"2 jan\" --name trip\n")
  }

  @Test("delete names each alarm that uses the days off, with the command that frees it")
  func inUse() throws {
    func alarm(_ number: Int, _ names: String) -> ScriptedDaemon.Answer {
      .reply(
        """
        {"alarm":{"number":\(number),"state":"scheduled","done":false,"category":"other","eggs":1,\(names)},\
        "occurrences":[]}
        """)
    }
    let run = try Run.eggctl(
      "daysoff", "delete", "trip",
      answers: [
        .messages([
          "{\"error\":\"io.eggd.Schedule.DaysOffInUse\",\"parameters\":{\"name\":\"trip\",\"numbers\":[3,4]}}"
        ]), alarm(3, "\"except\":[\"trip\"]"),
        alarm(4, "\"except\":[\"holidays\",\"trip\"],\"onlyOn\":[\"trip\"]"),
      ]
    ).run
    #expect(
      run
        == .failed(
          .refused,
          """
          eggctl: error: days off 'trip' are used by #3, #4
          eggctl: hint: eggctl edit 3 --except none; eggctl edit 4 --except holidays --only-on none

          """))
  }

  @Test("An unknown name is answered with the names that exist")
  func unknown() throws {
    let run = try Run.eggctl(
      "daysoff", "list", "hols",
      answers: [
        .messages([
          """
          {"error":"io.eggd.Schedule.NoSuchDaysOff","parameters":{"name":"hols","known":["holidays","trip"]}}
          """
        ])
      ]
    ).run
    #expect(
      run
        == .failed(
          .refused,
          """
          eggctl: error: there are no days off 'hols'
          eggctl: hint: eggctl daysoff lists them: holidays and trip

          """))
  }

  @Test("rename and delete say what they did")
  func renameAndDelete() throws {
    let renamed = try Run.eggctl(
      "daysoff", "rename", "trip", "winter",
      answers: [Self.reply(Self.trip.replacing("trip", with: "winter"))])
    #expect(renamed.run == .said("winter: 10 days, the next on 24 Dec\n"))
    let deleted = try Run.eggctl("daysoff", "delete", "trip", answers: [.reply("{\"sequence\":3}")])
    #expect(deleted.run == .said("deleted the days off 'trip'\n"))
  }
}
