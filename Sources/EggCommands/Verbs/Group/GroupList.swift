import ArgumentParser
import EggProtocol

/// `eggctl group list`: all groups.
struct GroupList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show all groups and how much of them is done.",
    discussion: "eggctl group list")

  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let groups = try Connection(surroundings).read(ListGroupsCall())
    if json { return try surroundings.output.data(JSON.text(groups) + "\n") }
    guard !groups.groups.isEmpty else {
      try surroundings.output.data("no groups yet\n")
      return try surroundings.output.hint("eggctl group create Sunday --color yellow")
    }
    let table = GroupTable(try Moments(surroundings), colours: surroundings.output.colours.data)
    try surroundings.output.data(table.text(groups.groups))
  }
}
