import Alarms
import ArgumentParser
import EggProtocol
import Gettext

struct GroupCreate: Verb {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: tr("Create a group."),
    discussion: "eggctl group create Sunday --color yellow --icon ~/egg.png")

  @Argument(help: "The group's name.") var name: String
  @Option(help: "Its colour: \(Group.Color.names).") var color: Group.Color?
  @Option(
    help: ArgumentHelp("The icon in notifications: a file or an icon's name.", valueName: "file|name"),
    completion: .file())
  var icon: String?
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    try Failure.checkGroup(name)
    let call = CreateGroupCall(name: name, color: color, icon: try icon.map(surroundings.iconName))
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}
