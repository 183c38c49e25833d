import ArgumentParser
import Gettext

struct Export: Verb {
  static let configuration = CommandConfiguration(
    "export", tr("Print the whole list: as a backup, for another machine or another calendar."),
    discussion: """
      eggctl export > eggs.jsonl
      eggctl export --format ics > eggs.ics

      jsonl has one alarm a line, with its past rings, after the groups; eggctl
      import restores the list from it. ics is iCalendar (RFC 5545), which other
      calendars open.
      """)

  @Option(help: "jsonl or ics.") var format = ExchangeFormat.jsonl
  @Option(help: ArgumentHelp("Only this group.", valueName: "name"), completion: .values(.groups))
  var group: String?

  func run(in surroundings: Surroundings) throws {
    let connection = try Connection(surroundings)
    let exported = ExportedList(
      connection: connection, past: try Connection(surroundings), output: surroundings.output, group: group)
    switch format {
    case .jsonl: try exported.writeLines()
    case .ics: try exported.writeCalendar(in: surroundings)
    }
  }
}

enum ExchangeFormat: String, ExpressibleByArgument, CaseIterable {
  /// One JSON object a line.
  case jsonl
  case ics
}
