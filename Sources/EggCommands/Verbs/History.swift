import ArgumentParser
import EggProtocol

/// `eggctl history`: what became of alarms, from the database.
struct History: Verb {
  static let configuration = CommandConfiguration(
    commandName: "history", _superCommandName: Eggctl.name,
    abstract: "Show what rang and what was missed, latest first.",
    discussion: """
      eggctl history
      eggctl history 12
      eggctl history --limit 10

      The last 100 occurrences of each alarm that is still in the list. What
      rang of deleted alarms is in the journal: eggctl log.
      """)

  @Argument(help: ArgumentHelp("Only of this alarm: its number or UUID.", valueName: "number"))
  var alarm: String?
  @Option(name: [.customShort("n"), .long], help: "At most so many lines.")
  var limit: Int64?
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    if let limit, limit < 1 { throw Failure(.usage, "--limit takes 1 or more") }
    let name = try alarm.map(AlarmName.init)
    let output = surroundings.output
    var table = HistoryTable(try Moments(surroundings), colours: output.colours.data)
    var document = JSON.ArrayDocument(name: "past")
    var isEmpty = true
    try past(name, Connection(surroundings)) { past in
      if !past.isEmpty { isEmpty = false }
      switch form {
      case .text: try output.data(table.page(past))
      case .json: try output.data(document.elements(past))
      case .numbers: try output.data(past.map { "\($0.number)\n" }.joined())
      }
    }
    switch form {
    case .text: if isEmpty { try output.data("nothing has rung yet\n") }
    case .json: try output.data(document.end() + "\n")
    case .numbers: break
    }
  }

  private func past(_ name: AlarmName?, _ connection: Connection, each: ([Past]) throws -> Void) throws {
    var call = HistoryCall(number: name?.number, id: name?.id)
    var left = limit ?? .max
    let deleted = "what rang of deleted alarms is in the journal: eggctl log \(alarm?.shellQuoted ?? "")"
    repeat {
      call.limit = min(left, 1_000)
      let page = try connection.read(call, absent: deleted)
      try each(page.past)
      left -= Int64(page.past.count)
      call.before = page.before
    } while call.before != nil && left > 0
  }
}
