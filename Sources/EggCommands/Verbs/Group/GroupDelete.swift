import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct GroupDelete: Verb {
  static let configuration = CommandConfiguration(
    "delete", tr("Delete a group, after asking."),
    discussion: """
      eggctl group delete Sunday --keep-alarms
      eggctl group delete Sunday --delete-alarms -y
      """)

  @Argument(help: "The group's name.", completion: .values(.groups)) var name: String
  @Flag(help: "Keep its alarms, without a group.") var keepAlarms = false
  @Flag(help: "Delete its alarms too; they never ring.") var deleteAlarms = false
  @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    if keepAlarms, deleteAlarms {
      throw Failure(.usage, tr("--keep-alarms and --delete-alarms exclude each other"))
    }
    let connection = try Connection(surroundings)
    let groups = try connection.read(ListGroupsCall(name: name), refusal: Failure.unknownGroup).groups
    let alarms = groups.first?.alarms ?? 0
    if alarms > 0, !keepAlarms, !deleteAlarms {
      throw Failure(
        .usage, tr("'\(name.visible)' has \(Counted.alarms(alarms)): give --keep-alarms or --delete-alarms"),
        hint: "eggctl group delete \(name.shellQuoted) --keep-alarms")
    }
    if !yes {
      guard surroundings.ask != nil else {
        let words = keepAlarms ? " --keep-alarms" : deleteAlarms ? " --delete-alarms" : ""
        throw Failure(
          .usage, tr("without a terminal, group delete needs -y"),
          hint: "eggctl group delete \(name.shellQuoted)\(words) -y")
      }
      let fate = deleteAlarms ? tr(" and its \(Counted.alarms(alarms))") : ""
      try surroundings.confirm(tr("delete the group '\(name.visible)'\(fate)?"))
    }
    let reply = try connection.call(
      DeleteGroupCall(name: name, alarms: deleteAlarms ? .delete : .keep), alarms: alarms)
    if json { return try surroundings.output.data(JSON.text(reply) + "\n") }
    let rang = reply.rang.isEmpty ? "" : tr(" · had already rung: \(reply.rang.numberList)")
    let fate =
      reply.count == 0
      ? ""
      : deleteAlarms
        ? tr(" and \(Counted.alarms(reply.count))") : tr("; kept \(Counted.alarms(reply.count))")
    try surroundings.output.data(tr("deleted the group '\(name.visible)'\(fate)\(rang)") + "\n")
  }
}
