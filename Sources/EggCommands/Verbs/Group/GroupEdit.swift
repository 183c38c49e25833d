import Alarms
import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct GroupEdit: Verb {
  static let configuration = CommandConfiguration(
    "edit", tr("Change a group's colour or icon."),
    discussion: """
      eggctl group edit Sunday --color cyan
      eggctl group edit Sunday --no-color --icon ""
      """)

  @Argument(help: "The group's name.", completion: .values(.groups)) var name: String
  @Option(help: "Its colour: \(Group.Color.names).") var color: Group.Color?
  @Flag(help: "Remove its colour.") var noColor = false
  @Option(help: .icon, completion: .file()) var icon: String?
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    if noColor, color != nil { throw Failure(.usage, tr("--color and --no-color exclude each other")) }
    var call = EditGroupCall(name: name)
    call.color = color
    if noColor { call.plain = true }
    call.icon = try icon.map(surroundings.iconName)
    guard call != EditGroupCall(name: name) else {
      throw Failure(.usage, tr("no change was given"), hint: "eggctl help group edit")
    }
    try surroundings.show(
      try Connection(surroundings).call(call, refusal: Failure.unknownGroup), asJSON: json)
  }
}

struct GroupCreate: Verb {
  static let configuration = CommandConfiguration(
    "create", tr("Create a group."),
    discussion: "eggctl group create Sunday --color yellow --icon ~/egg.png")

  @Argument(help: "The group's name.") var name: String
  @Option(help: "Its colour: \(Group.Color.names).") var color: Group.Color?
  @Option(help: .icon, completion: .file()) var icon: String?
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    try Failure.checkGroup(name)
    let call = CreateGroupCall(name: name, color: color, icon: try icon.map(surroundings.iconName))
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}

struct GroupRename: Verb {
  static let configuration = CommandConfiguration(
    "rename", tr("Rename a group."),
    discussion: "eggctl group rename Sunday brunch")

  @Argument(help: "The group's name.", completion: .values(.groups)) var name: String
  @Argument(help: "The new name.") var newName: String
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    try Failure.checkGroup(newName)
    var call = EditGroupCall(name: name)
    call.newName = newName
    try surroundings.show(
      try Connection(surroundings).call(call, refusal: Failure.unknownGroup), asJSON: json)
  }
}

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
