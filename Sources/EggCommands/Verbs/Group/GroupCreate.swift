import Alarms
import ArgumentParser
import EggProtocol

/// `eggctl group create`: makes a group.
struct GroupCreate: Verb {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make a group.",
    discussion: "eggctl group create Sunday --color yellow --icon ~/egg.png")

  @Argument(help: "What it is called.") var name: String
  @Option(help: "Its colour: \(Group.Color.names).") var color: Group.Color?
  @Option(help: ArgumentHelp("For its notifications: a file or an icon's name.", valueName: "file|name"))
  var icon: String?
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    try Failure.checkGroup(name)
    let call = CreateGroupCall(name: name, color: color, icon: try icon.map(surroundings.iconName))
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}
