import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct DaysOffVerb: VerbWord {
  static let configuration = CommandConfiguration(
    "daysoff", tr("Add, show and delete days off, on which alarms keep quiet."),
    discussion: """
      eggctl daysoff add "24 dec" --until "2 jan" --name trip
      eggctl daysoff import holidays.ics
      eggctl schedule weekdays 7:00 "get up" --except holidays --except trip
      eggctl edit 12 --only-on holidays
      eggctl daysoff
      eggctl daysoff list trip

      Days off are whole days with a name. Recurring alarms that name them move at
      once when they change. The day of an alarm's moment counts, not that of a ring
      before it (--before).
      """,
    subcommands: [
      DaysOffList.self, DaysOffAdd.self, DaysOffImport.self, DaysOffRename.self, DaysOffDelete.self,
    ],
    defaultSubcommand: DaysOffList.self)
}

extension Surroundings {
  /// `trip: 10 days, the next on 24 Dec · moved 2 alarms`
  func show(_ reply: DaysOffReply, asJSON json: Bool) throws {
    if json { return try output.data(JSON.text(reply) + "\n") }
    let (days, moments) = (reply.daysOff, try Moments(self))
    var text = "\(days.name.visible): \(Counted.days(days.count))"
    if let next = days.next { text += tr(", the next on \(moments.text(next))") }
    if reply.moved > 0 { text += tr(" · moved \(Counted.alarms(reply.moved))") }
    try output.data(text + "\n")
    if days.alarms == 0 {
      try output.hint("eggctl edit \(tr("NUMBER")) --except \(days.name.shellQuoted)")
    }
  }
}

struct DaysOffList: Verb {
  static let configuration = CommandConfiguration(
    "list", tr("Show all days off, or the days of one name."),
    discussion: """
      eggctl daysoff list
      eggctl daysoff list holidays
      eggctl daysoff list -q
      """)

  @Argument(help: "The name of the days off.", completion: .values(.daysOff)) var name: String?
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false
  @Flag(name: [.customShort("q"), .long], help: "Print bare names, one a line.") var quiet = false

  func run(in surroundings: Surroundings) throws {
    if json, quiet { throw Failure(.usage, tr("--json and --quiet exclude each other")) }
    let reply = try Connection(surroundings).read(ListDaysOffCall(name: name))
    let (output, found) = (surroundings.output, reply.daysOff)
    if json { return try output.data(JSON.text(reply) + "\n") }
    if quiet { return try output.data(found.map { $0.name.visible + "\n" }.joined()) }
    guard !found.isEmpty else {
      try output.data(tr("no days off yet") + "\n")
      return try output.hint("eggctl daysoff add \"24 dec\" --until \"2 jan\" --name trip")
    }
    let moments = try Moments(surroundings)
    if name != nil {
      return try output.data(found.flatMap { $0.days ?? [] }.map { moments.text($0) + "\n" }.joined())
    }
    var table = Table([
      Table.Column(heading: tr("NAME"), minimum: 12, gap: 3),
      Table.Column(heading: tr("DAYS"), isNumeric: true, gap: 3),
      Table.Column(heading: tr("NEXT"), minimum: 11, gap: 3),
      Table.Column(heading: tr("ALARMS"), isNumeric: true, gap: 0),
    ])
    let rows = found.map { days in
      [
        days.name.visible, "\(days.count)", days.next.map(moments.text) ?? "", "\(days.alarms)",
      ].map { Table.Cell($0) }
    }
    try output.data(table.text(rows, colours: output.colours.data))
  }
}
