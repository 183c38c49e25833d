import ArgumentParser
import EggProtocol
import EggTime
import Gettext

struct Move: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "move", tr("Move alarms in the list."),
    usage: "eggctl move NUMBER … (--before NUMBER | --after NUMBER | --top | --bottom) [OPTION …]",
    discussion: """
      eggctl move 12 --before 3
      eggctl move 12 --after tea
      eggctl move 12 --top
      eggctl move 5-7 --after 12

      Several alarms keep their order among themselves.
      """)

  @Argument(help: .alarms, completion: .values(.alarms)) var alarms: [String] = []
  @Option(help: ArgumentHelp("Before this alarm.", valueName: "number"), completion: .values(.alarms))
  var before: String?
  @Option(help: ArgumentHelp("After this alarm.", valueName: "number"), completion: .values(.alarms))
  var after: String?
  @Flag(help: "To the beginning of the list.") var top = false
  @Flag(help: "To the end of the list.") var bottom = false
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let selection = try AlarmNaming("move", in: surroundings).selection(alarms)
    let connection = try Connection(surroundings)
    let (place, other) = try place(connection, surroundings)
    try surroundings.show(
      try connection.change(MoveCall(selection, place: place, other: other)), as: form)
  }

  private func place(_ connection: Connection, _ surroundings: Surroundings) throws -> (ListPlace, Int64?) {
    switch (before, after, top, bottom) {
    case (let name?, nil, false, false):
      return (.before, try number(of: name, connection, surroundings))
    case (nil, let name?, false, false):
      return (.after, try number(of: name, connection, surroundings))
    case (nil, nil, true, false): return (.top, nil)
    case (nil, nil, false, true): return (.bottom, nil)
    case (nil, nil, false, false):
      throw Failure(
        .usage, tr("where to? give one of --before, --after, --top and --bottom"),
        hint: "eggctl move \(alarms.first?.shellQuoted ?? "12") --top")
    default: throw Failure(.usage, tr("--before, --after, --top and --bottom exclude each other"))
    }
  }

  private func number(
    of name: String, _ connection: Connection, _ surroundings: Surroundings
  ) throws -> Int64 {
    let name = try AlarmNaming("move", in: surroundings).name(name)
    return try name.number ?? connection.read(ShowCall(id: name.id)).alarm.number
  }
}
