import Alarms
import ArgumentParser
import EggProtocol
import Gettext

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
