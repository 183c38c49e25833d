import ArgumentParser
import EggProtocol
import Gettext

struct DaysOffRename: Verb {
  static let configuration = CommandConfiguration(
    "rename", tr("Rename days off."),
    discussion: """
      eggctl daysoff rename trip "winter trip"

      Alarms that name them follow.
      """)

  @Argument(help: "The name of the days off.", completion: .values(.daysOff)) var name: String
  @Argument(help: "The new name.") var newName: String
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    try Failure.checkDaysOff(newName)
    try surroundings.show(
      try Connection(surroundings).call(RenameDaysOffCall(name: name, newName: newName)), asJSON: json)
  }
}
