import ArgumentParser
import EggProtocol
import Gettext

struct Show: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "show", tr("Show one alarm in full."),
    discussion: """
      eggctl show 12
      eggctl show "two soft ones"
      eggctl show 12 --json
      """)

  @Argument(
    help: ArgumentHelp("The alarm: its number, label or UUID.", valueName: "number"),
    completion: .values(.alarms))
  var alarm: String
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let name = try AlarmNaming("show", in: surroundings).name(alarm)
    let connection = try Connection(surroundings)
    let reply = try connection.read(ShowCall(number: name.number, id: name.id))
    try surroundings.output.answer(form, json: reply, numbers: [reply.alarm.number]) {
      AlarmText(moments: try Moments(surroundings)).full(
        reply, width: surroundings.lineWidth, colours: surroundings.output.colours.data)
    }
    try surroundings.warnUnlessHeard(for: [reply.alarm], form)
    try surroundings.warnUnlessAwake(for: [reply.alarm], connection, form)
  }
}
