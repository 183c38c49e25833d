import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Varlink

struct GroupVerb: VerbWord {
  static let configuration = CommandConfiguration(
    "group", tr("Create, show, change and delete groups of alarms."),
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
    try show([reply.group])
  }

  fileprivate func show(_ groups: [WireGroup]) throws {
    let table = GroupTable(moments: try Moments(self), width: lineWidth, colours: output.colours.data)
    try output.data(table.text(groups))
  }
}

extension Failure {
  static func checkGroup(_ name: String) throws {
    guard !name.allSatisfy(\.isWhitespace) else { throw Failure(.usage, tr("a group needs a name")) }
    if let failure = Failure(.group, name) { throw failure }
  }

  /// Of a verb that is about an existing group.
  static func unknownGroup(_ name: String) -> Failure {
    Failure(
      .refused, tr("there is no group '\(name.visible)'"), hint: "eggctl group",
      cause: .noSuchGroup(name: name))
  }

  static func unknownGroup(_ error: ScheduleError) -> Failure? {
    if case .noSuchGroup(let name) = error { unknownGroup(name) } else { nil }
  }
}

struct GroupList: Verb {
  static let configuration = CommandConfiguration(
    "list", tr("Show all groups with their progress."),
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
    try surroundings.show(groups.groups)
  }
}

struct GroupShow: Verb {
  static let configuration = CommandConfiguration(
    "show", tr("Show a group and its alarms."), discussion: "eggctl group show Sunday")

  @Argument(help: "The group's name.", completion: .values(.groups)) var name: String
  @Option(help: .dateFormat) var dateFormat: DateFormat?
  @Flag(name: .long, help: "Print the group as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let connection = try Connection(surroundings)
    let output = surroundings.output
    let groups = try connection.read(ListGroupsCall(name: name), refusal: Failure.unknownGroup).groups
    guard let group = groups.first else { throw Failure.unknownGroup(name) }
    if json { return try output.data(JSON.text(group) + "\n") }
    try surroundings.show([group])
    if let icon = group.icon { try output.data("\(tr("icon"))  \(icon.visible)\n") }
    guard group.alarms > 0 else {
      return try output.hint("eggctl schedule 6m30s --group \(name.shellQuoted)")
    }
    try output.data("\n")
    let table = ListTable(
      text: AlarmText(moments: try Moments(surroundings)), width: surroundings.lineWidth,
      colours: output.colours.data)
    let call = ListCall(
      fields: WireAlarm.listed.filter { $0 != .group }, group: name)
    let (rows, totals) = try connection.list(call) { ListRow($0, table.text.moments) }
    if !rows.isEmpty { try output.data(table.text(rows, totals)) }
  }
}
