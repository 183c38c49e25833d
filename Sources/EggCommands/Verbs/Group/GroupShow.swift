import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct GroupShow: DatedVerb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: tr("Show a group and its alarms."), discussion: "eggctl group show Sunday")

  @Argument(help: "The group's name.", completion: .values(.groups)) var name: String
  @OptionGroup var dates: DateOptions
  @Flag(name: .long, help: "Print the group as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let connection = try Connection(surroundings)
    let output = surroundings.output
    guard let group = try connection.read(ListGroupsCall(name: name)).groups.first else {
      throw Failure(.refused, tr("there is no group '\(name.visible)'"))
    }
    if json { return try output.data(JSON.text(group) + "\n") }
    let moments = try Moments(surroundings)
    try output.data(GroupTable(moments, colours: output.colours.data).text([group]))
    if let icon = group.icon { try output.data("\(tr("icon"))  \(icon.visible)\n") }
    guard group.alarms > 0 else {
      return try output.hint("eggctl schedule 6m30s --group \(name.shellQuoted)")
    }
    try output.data("\n")
    var table = ListTable(
      AlarmText(moments: moments), width: surroundings.lineWidth, colours: output.colours.data)
    let call = ListCall(
      fields: [.due, .label, .summary, .doneDue, .latest, .remaining, .moment, .skips], group: name)
    try connection.pages(call) { page in
      if !page.alarms.isEmpty { try output.data(table.page(page)) }
    }
  }
}
