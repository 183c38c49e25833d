import Alarms
import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct GroupVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", _superCommandName: Eggctl.name,
    abstract: tr("Create, show, change and delete groups of alarms."),
    discussion: """
      eggctl group create Sunday --color yellow --icon food-egg
      eggctl schedule 6m30s --group Sunday
      eggctl group
      eggctl group show Sunday
      eggctl group rename Sunday brunch
      eggctl group delete brunch --keep-alarms

      A group shows how many of its alarms are done. Notifications of its alarms
      show its icon, unless the alarm has an icon.
      """,
    subcommands: [
      GroupList.self, GroupCreate.self, GroupShow.self, GroupRename.self, GroupEdit.self, GroupDelete.self,
    ],
    defaultSubcommand: GroupList.self)
}

extension Group.Color: ExpressibleByArgument {
  static var names: String { allCases.map(\.rawValue).list }
}

extension Surroundings {
  func show(_ reply: GroupReply, asJSON json: Bool) throws {
    if json { return try output.data(JSON.text(reply.group) + "\n") }
    try output.data(GroupTable(moments: try Moments(self), colours: output.colours.data).text([reply.group]))
  }
}

extension Failure {
  static func checkGroup(_ name: String) throws {
    guard !name.isEmpty else { throw Failure(.usage, tr("a group needs a name")) }
    if let failure = Failure(.group, name) { throw failure }
  }
}
