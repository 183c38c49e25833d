import ArgumentParser
import EggProtocol
import Gettext
import Varlink

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
