import Alarms
import ArgumentParser
import EggProtocol

/// `eggctl group edit`: changes how a group looks.
struct GroupEdit: Verb {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change the colour or the icon of a group.",
    discussion: """
      eggctl group edit Sunday --color cyan
      eggctl group edit Sunday --no-color --icon ""
      """)

  @Argument(help: "What it is called.") var name: String
  @Option(help: "Its colour: \(Group.Color.names).") var color: Group.Color?
  @Flag(help: "Takes its colour away.") var noColor = false
  @Option(help: ArgumentHelp("For its notifications: a file or an icon's name.", valueName: "file|name"))
  var icon: String?
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    if noColor, color != nil { throw Failure(.usage, "--color and --no-color exclude each other") }
    var call = EditGroupCall(name: name)
    call.color = color
    if noColor { call.plain = true }
    call.icon = try icon.map(surroundings.iconName)
    guard call != EditGroupCall(name: name) else {
      throw Failure(.usage, "nothing to change was given", hint: "eggctl help group edit")
    }
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}
