import ArgumentParser
import EggProtocol

/// `eggctl group rename`: gives a group another name.
struct GroupRename: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a group another name.",
    discussion: "eggctl group rename Sunday brunch")

  @Argument(help: "What it is called.") var name: String
  @Argument(help: "What it is to be called.") var newName: String
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    try Failure.checkGroup(newName)
    var call = EditGroupCall(name: name)
    call.newName = newName
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}
