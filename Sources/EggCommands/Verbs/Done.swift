import ArgumentParser
import EggProtocol
import Gettext

/// `eggctl done`: sets the user's own mark.
struct Done: DatedVerb {
  static let configuration = CommandConfiguration(
    commandName: "done", _superCommandName: Eggctl.name,
    abstract: tr("Mark alarms done."),
    usage: "eggctl done NUMBER … [OPTION …]",
    discussion: """
      eggctl done 12
      eggctl done 3-7

      A waiting one-shot no longer rings; eggctl undone restores it. A ringing alarm
      is dismissed. For a recurring alarm the mark belongs to the last ring, until
      the next one.
      """)

  @Argument(
    help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"),
    completion: .values(.markable))
  var alarms: [String] = []
  @Flag(help: "Every alarm.") var all = false
  @OptionGroup var dates: DateOptions
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "done", as: try answer.form(), precondition: tr("it cannot be marked"),
      empty: tr("all alarms are already done")
    ) { MarkDoneCall($0, done: true) }
  }
}
