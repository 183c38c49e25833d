import ArgumentParser
import EggProtocol
import EggTime
import Gettext

struct DaysOffAdd: Verb {
  static let configuration = CommandConfiguration(
    "add", tr("Add a day or a range of days to days off."),
    discussion: """
      eggctl daysoff add "24 dec" --until "2 jan" --name trip
      eggctl daysoff add friday --name trip

      Both days are included. A new name makes new days off.
      """)

  @Argument(help: ArgumentHelp("The day, or the first of them.", valueName: "day")) var day: String
  @Option(help: ArgumentHelp("The last day.", valueName: "day")) var until: String?
  @Option(help: "The name of the days off.", completion: .values(.daysOff)) var name: String
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    try Failure.checkDaysOff(name)
    let first = try surroundings.day(reading: day)
    let last = try until.map { try surroundings.day(reading: $0) } ?? first
    guard let days = DayRange(first, through: last) else {
      throw Failure(.usage, tr("--until is before the first day"))
    }
    try surroundings.show(
      try Connection(surroundings).call(AddDaysOffCall(name: name, days: [days])), asJSON: json)
  }
}
