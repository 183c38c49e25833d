import ArgumentParser
import EggProtocol
import Gettext

struct Delete: Verb {
  static let configuration = CommandConfiguration(
    "delete", tr("Delete alarms; a deleted alarm never rings."),
    discussion: """
      eggctl delete 12
      eggctl delete tea
      eggctl delete 3-7 12
      eggctl delete --all -y
      eggctl delete --rung-before "1 week ago"
      """)

  @Argument(help: .alarms, completion: .values(.alarms)) var alarms: [String] = []
  @Flag(help: "Every alarm; asks first, except with --rung-before.") var all = false
  @Option(
    help: ArgumentHelp("Alarms that rang before that time and will not ring again.", valueName: "time"))
  var rungBefore: String?
  @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    if let rungBefore { return try delete(rungBefore: rungBefore, as: form, in: surroundings) }
    let selection = try AlarmNaming("delete", in: surroundings).selection(alarms, all: all)
    if all, !yes, surroundings.ask == nil {
      throw Failure(.usage, tr("without a terminal, --all needs -y"), hint: "eggctl delete --all -y")
    }
    let connection = try Connection(surroundings)
    var alarms: Int64?
    if all, !yes {
      let count = try connection.alarms()
      if count > 0 { try surroundings.confirm(tr("delete \(Counted.alarms(count))?")) }
      alarms = count
    }
    try Self.show(connection.change(DeleteCall(selection), alarms: alarms), as: form, in: surroundings)
  }

  private func delete(rungBefore text: String, as form: AnswerForm, in surroundings: Surroundings) throws {
    let moment = try surroundings.pastMoment(reading: text)
    // Without numbers it means all alarms.
    let selection = try AlarmNaming("delete", in: surroundings).selection(
      alarms, all: all || alarms.isEmpty)
    var reply = try Connection(surroundings).change(DeleteCall(selection, rungBefore: moment))
    // All of them rang; saying so adds nothing.
    if form == .text { reply.rang = [] }
    try Self.show(reply, as: form, in: surroundings)
  }

  /// Shows what was deleted, then throws if some of the alarms do not exist.
  private static func show(_ reply: DeleteReply, as form: AnswerForm, in surroundings: Surroundings) throws {
    try surroundings.output.answer(form, json: reply, numbers: reply.deleted) { text(reply) }
    try surroundings.tellRest(of: reply, as: form)
  }

  private static func text(_ reply: DeleteReply) -> String {
    guard !reply.deleted.isEmpty else { return tr("nothing to delete") + "\n" }
    let rang = reply.rang.isEmpty ? "" : tr(" · had already rung: \(reply.rang.numberList)")
    let more = reply.others > 0 ? tr(" and \(reply.others) more") : ""
    return tr("deleted \(reply.named ?? reply.deleted.numberList)\(more)\(rang)") + "\n"
  }
}

extension DeleteReply {
  /// `#3 'tea', #5 '10m'`; nil for many.
  fileprivate var named: String? {
    guard let names, names.count == deleted.count else { return nil }
    return zip(deleted, names).map { "#\($0) '\($1.visible)'" }.joined(separator: ", ")
  }
}
