import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct GroupList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: tr("Show all groups with their progress."),
    discussion: """
      eggctl group list
      eggctl group list -q
      """)

  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false
  @Flag(name: [.customShort("q"), .long], help: "Print bare names, one a line.") var quiet = false

  func run(in surroundings: Surroundings) throws {
    if json, quiet { throw Failure(.usage, tr("--json and --quiet exclude each other")) }
    let groups = try Connection(surroundings).read(ListGroupsCall())
    if json { return try surroundings.output.data(JSON.text(groups) + "\n") }
    if quiet { return try surroundings.output.data(groups.groups.map { $0.name.visible + "\n" }.joined()) }
    guard !groups.groups.isEmpty else {
      try surroundings.output.data(tr("no groups yet") + "\n")
      return try surroundings.output.hint("eggctl group create Sunday --color yellow")
    }
    let table = GroupTable(moments: try Moments(surroundings), colours: surroundings.output.colours.data)
    try surroundings.output.data(table.text(groups.groups))
  }
}
