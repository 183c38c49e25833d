import ArgumentParser
import EggProtocol
import Gettext

struct Undone: DatedVerb {
  static let configuration = CommandConfiguration(
    commandName: "undone", _superCommandName: Eggctl.name,
    abstract: tr("Remove the done mark from alarms."),
    usage: "eggctl undone NUMBER … [OPTION …]",
    discussion: """
      eggctl undone 12

      A one-shot that was marked before it rang waits again; if its time has passed,
      it is missed.
      """)

  @Argument(
    help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"),
    completion: .values(.unmarkable))
  var alarms: [String] = []
  @Flag(help: "Every alarm marked done.") var all = false
  @OptionGroup var dates: DateOptions
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "undone", as: try answer.form(), precondition: tr("it is not marked done"),
      empty: tr("no alarm is marked done")
    ) { MarkDoneCall($0, done: false) }
  }
}
