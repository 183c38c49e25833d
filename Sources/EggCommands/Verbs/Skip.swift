import ArgumentParser
import EggProtocol
import Gettext

struct Skip: DatedVerb {
  static let configuration = CommandConfiguration(
    commandName: "skip", _superCommandName: Eggctl.name,
    abstract: tr("Skip the next ring of alarms."),
    usage: "eggctl skip NUMBER … [OPTION …]",
    discussion: """
      eggctl skip 12

      A recurring alarm continues with the ring after that. A one-shot is over; it
      stays in the list as skipped.
      """)

  @Argument(
    help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"),
    completion: .values(.skippable))
  var alarms: [String] = []
  @Flag(help: "Every waiting alarm.") var all = false
  @OptionGroup var dates: DateOptions
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "skip", as: try answer.form(), precondition: tr("it has no next ring"),
      empty: tr("no alarm is waiting")
    ) { SkipCall($0) }
  }
}
