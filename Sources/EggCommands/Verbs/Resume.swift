import ArgumentParser
import EggProtocol
import Gettext

struct Resume: DatedVerb {
  static let configuration = CommandConfiguration(
    commandName: "resume", _superCommandName: Eggctl.name,
    abstract: tr("Resume paused alarms."),
    usage: "eggctl resume NUMBER … [OPTION …]",
    discussion: """
      eggctl resume 12
      eggctl resume --all
      """)

  @Argument(
    help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"),
    completion: .values(.resumable))
  var alarms: [String] = []
  @Flag(help: "Every paused alarm.") var all = false
  @OptionGroup var dates: DateOptions
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "resume", as: try answer.form(),
      precondition: tr("only paused alarms can be resumed"),
      empty: tr("no alarm is paused")
    ) { ResumeCall($0) }
  }
}
