import Alarms
import ArgumentParser
import EggProtocol
import Gettext

struct GroupEdit: Verb {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: tr("Change a group's colour or icon."),
    discussion: """
      eggctl group edit Sunday --color cyan
      eggctl group edit Sunday --no-color --icon ""
      """)

  @Argument(help: "The group's name.", completion: .values(.groups)) var name: String
  @Option(help: "Its colour: \(Group.Color.names).") var color: Group.Color?
  @Flag(help: "Remove its colour.") var noColor = false
  @Option(
    help: ArgumentHelp("The icon in notifications: a file or an icon's name.", valueName: "file|name"),
    completion: .file())
  var icon: String?
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
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}
