import ArgumentParser
import EggProtocol

/// `eggctl delete`: takes alarms away; what has not rung by then never rings.
struct Delete: Verb {
  static let configuration = CommandConfiguration(
    commandName: "delete", _superCommandName: Eggctl.name,
    abstract: "Delete alarms: those that are to come never ring.",
    discussion: """
      eggctl delete 12
      eggctl delete 3-7 12
      eggctl delete --all -y
      eggctl delete --rung-before "1 week ago"
      """)

  @Argument(help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"))
  var alarms: [String] = []
  @Flag(help: "Every alarm there is; asks first, unless with --rung-before.") var all = false
  @Option(
    help: ArgumentHelp("Those that have rung before that time and have nothing to come.", valueName: "time"))
  var rungBefore: String?
  @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    if let rungBefore { return try delete(rungBefore: rungBefore, as: form, in: surroundings) }
    let selection = try WireSelection.only(alarms, all: all, verb: "delete")
    if all, !yes, surroundings.ask == nil {
      throw Failure(.usage, "all alarms are deleted only with -y", hint: "eggctl delete --all -y")
    }
    let connection = try Connection(surroundings)
    var alarms: Int64?
    if all, !yes {
      let count = try connection.alarms()
      if count > 0 { try surroundings.confirm("delete \(counted(count, "alarm"))?") }
      alarms = count
    }
    let reply = try connection.change(DeleteCall(selection), alarms: alarms, doing: "deleting")
    try Self.show(reply, as: form, in: surroundings)
  }

  private func delete(rungBefore text: String, as form: AnswerForm, in surroundings: Surroundings) throws {
    // Of all where none is named.
    let selection = try WireSelection.only(alarms, all: all || alarms.isEmpty, verb: "delete")
    let moment = try surroundings.moment(reading: text)
    var reply = try Connection(surroundings).change(DeleteCall(selection, rungBefore: moment))
    // All of them have, as was asked.
    if form == .text { reply.rang = [] }
    try Self.show(reply, as: form, in: surroundings)
  }

  /// Shows what was deleted, then throws for what was named and does not exist.
  private static func show(_ reply: DeleteReply, as form: AnswerForm, in surroundings: Surroundings) throws {
    try surroundings.output.answer(form, json: reply, numbers: reply.deleted) { text(reply) }
    if form == .numbers, reply.others > 0 { try surroundings.output.note("and \(reply.others) more") }
    if !reply.missing.isEmpty || !reply.missingIds.isEmpty {
      throw Failure.missing(reply.missing, reply.missingIds)
    }
  }

  private static func text(_ reply: DeleteReply) -> String {
    guard !reply.deleted.isEmpty else { return "nothing to delete\n" }
    let rang = reply.rang.isEmpty ? "" : " · had already rung: \(reply.rang.numberList)"
    let more = reply.others > 0 ? " and \(reply.others) more" : ""
    return "deleted \(reply.deleted.numberList)\(more)\(rang)\n"
  }
}

extension DeleteReply {
  /// How many were deleted and are not named, as there were too many.
  fileprivate var others: Int64 { max(0, count - Int64(deleted.count)) }
}
