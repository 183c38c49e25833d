import ArgumentParser
import EggProtocol
import Gettext

struct History: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "history", tr("Show what became of alarms, latest first."),
    discussion: """
      eggctl history
      eggctl history 12
      eggctl history --limit 10
      eggctl history --prune --before 2026-01-01

      The last 100 occurrences of each alarm. Those of deleted alarms are kept for
      a year, at most 10 000; --prune forgets them. eggctl log tells all that
      happened to an alarm, from the journal.
      """)

  @Argument(help: .onlyAlarm, completion: .values(.alarms)) var alarm: String?
  @Option(
    name: [.customShort("n"), .long], parsing: .unconditional, help: "The most lines to print.")
  var limit: Int64?
  @Flag(help: "Delete the history of deleted alarms.") var prune = false
  @Option(help: ArgumentHelp("With --prune: only of alarms deleted before that time.", valueName: "time"))
  var before: String?
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    if let limit, limit < 1 {
      throw Failure(.usage, tr("-n takes a number from 1 on"), hint: "eggctl history -n 20")
    }
    let name = try alarm.map { try AlarmNaming("history", in: surroundings).name($0) }
    if prune { return try forget(name, form, in: surroundings) }
    if before != nil { throw Failure(.usage, tr("--before needs --prune")) }
    let output = surroundings.output
    var table = HistoryTable(
      try Moments(surroundings), width: surroundings.lineWidth, colours: output.colours.data)
    let connection = try Connection(surroundings)
    let deleted = tr(
      "what happened to a deleted alarm is in the journal: eggctl log \(alarm?.shellQuoted ?? "")")
    var call = HistoryCall(number: name?.number, id: name?.id)
    var left = limit ?? .max
    var document: [Past] = []
    repeat {
      call.limit = min(left, 1_000)
      let page = try connection.read(call, absent: deleted)
      switch form {
      case .text: try output.data(table.page(page.past))
      case .numbers: try output.data(page.past.map { "\($0.number)\n" }.joined())
      case .json: document += page.past
      }
      left -= Int64(page.past.count)
      call.before = page.before
    } while call.before != nil && left > 0
    try output.answer(form, json: ["past": document], numbers: []) {
      left == limit ?? .max ? tr("nothing has rung yet") + "\n" : ""
    }
  }

  private func forget(_ name: AlarmName?, _ form: AnswerForm, in surroundings: Surroundings) throws {
    if limit != nil { throw Failure(.usage, tr("--prune and --limit exclude each other")) }
    if name?.id != nil { throw Failure(.usage, tr("--prune takes an alarm's number")) }
    let before = try before.map { try surroundings.pastMoment(reading: $0) }
    let reply = try Connection(surroundings).call(
      PruneHistoryCall(number: name?.number, deletedBefore: before))
    try surroundings.output.answer(form, json: reply, numbers: []) {
      tr(
        one: "forgot \(reply.count) occurrence of deleted alarms",
        many: "forgot \(reply.count) occurrences of deleted alarms", count: reply.count) + "\n"
    }
  }
}
