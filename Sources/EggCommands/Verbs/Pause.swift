import ArgumentParser
import EggProtocol
import Gettext

struct Pause: DatedVerb {
  static let configuration = CommandConfiguration(
    commandName: "pause", _superCommandName: Eggctl.name,
    abstract: tr("Pause countdowns, and make recurring alarms skip their rings."),
    usage: "eggctl pause NUMBER … [OPTION …]",
    discussion: """
      eggctl pause 12
      eggctl resume 12

      A resumed countdown continues with the time it had left. An alarm at a date
      and time cannot be paused: skip or delete it.
      """)

  @Argument(
    help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"),
    completion: .values(.pausable))
  var alarms: [String] = []
  @Flag(help: "Every waiting countdown and recurring alarm.") var all = false
  @OptionGroup var dates: DateOptions
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "pause", as: try answer.form(),
      precondition: tr("only waiting countdowns and recurring alarms can be paused"),
      empty: tr("no alarm can be paused")
    ) { PauseCall($0) }
  }
}
