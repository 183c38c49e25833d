import ArgumentParser
import EggProtocol
import Gettext

struct GroupRename: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: tr("Rename a group."),
    discussion: "eggctl group rename Sunday brunch")

  @Argument(help: "The group's name.", completion: .values(.groups)) var name: String
  @Argument(help: "The new name.") var newName: String
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    try Failure.checkGroup(newName)
    var call = EditGroupCall(name: name)
    call.newName = newName
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}
