import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Varlink

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

struct DaysOffDelete: Verb {
  static let configuration = CommandConfiguration(
    "delete", tr("Delete days off that no alarm names."),
    discussion: "eggctl daysoff delete trip")

  @Argument(help: "The name of the days off.", completion: .values(.daysOff)) var name: String
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let connection = try Connection(surroundings)
    let reply: DeleteDaysOffCall.Reply
    do {
      reply = try connection.call(DeleteDaysOffCall(name: name))
    } catch var failure as Failure {
      if case .daysOffInUse(_, let users)? = failure.cause {
        failure.hint = try commands(for: users, connection)
      }
      throw failure
    }
    if json { return try surroundings.output.data(JSON.text(reply) + "\n") }
    try surroundings.output.data(tr("deleted the days off '\(name.visible)'") + "\n")
  }

  /// Commands are shown for so many alarms.
  private static let most = 20

  /// For each alarm the command after which it does not name the days off.
  private func commands(for numbers: [Int64], _ connection: Connection) throws -> String {
    let commands = try connection.shows(Array(numbers.prefix(Self.most))).map { reply in
      let alarm = reply.alarm
      let options = [("--except", alarm.except ?? []), ("--only-on", alarm.onlyOn ?? [])]
        .filter { $0.1.contains(name) }
        .map { option, names in
          let left = names.filter { $0 != name }
          return (left.isEmpty ? ["none"] : left).map { " \(option) \($0.shellQuoted)" }.joined()
        }
      return "eggctl edit \(alarm.number)\(options.joined())"
    }
    let more = numbers.count > commands.count ? ", " + tr("and \(numbers.count - commands.count) more") : ""
    return commands.joined(separator: "; ") + more
  }
}
