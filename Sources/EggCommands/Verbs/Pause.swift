import ArgumentParser
import EggProtocol
import Gettext

struct Pause: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "pause", tr("Pause countdowns, and make recurring alarms skip their rings."),
    usage: "eggctl pause NUMBER … [OPTION …]",
    discussion: """
      eggctl pause 12
      eggctl resume 12
      eggctl pause 12 --until monday

      A resumed countdown continues with the time it had left. An alarm at a date
      and time cannot be paused: skip or delete it. --until is for recurring alarms,
      as in skip.
      """)

  @Argument(help: .alarms, completion: .values(.pausable)) var alarms: [String] = []
  @Flag(help: "Every waiting countdown and recurring alarm.") var all = false
  @Option(help: ArgumentHelp("The day of return of recurring alarms.", valueName: "day"))
  var until: String?
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let naming = AlarmNaming("pause", fitting: .pausable, in: surroundings)
    let selection = try naming.selection(alarms, all: all)
    let day = try until.map { try surroundings.dayOfReturn(reading: $0) }
    let connection = try Connection(surroundings)
    if let day {
      var call = SkipCall(selection)
      call.until = day
      return try surroundings.skipDays(call, connection, as: form)
    }
    let reply = try connection.change(
      PauseCall(selection), precondition: Self.precondition,
      refusal: { error in
        guard case .wrongState(let number, .paused) = error else { return nil }
        return Failure(
          .refused, tr("alarm \(number) is already paused"), hint: "eggctl resume \(number)")
      })
    try surroundings.show(reply, as: form, empty: tr("no alarm can be paused"))
  }

  static var precondition: String { tr("only waiting countdowns and recurring alarms can be paused") }
}
