import Alarms
import ArgumentParser
import EggProtocol

/// `eggctl group`: the groups that alarms can be put into.
struct GroupVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group",
    abstract: "Make, show, change and delete groups of alarms.",
    discussion: """
      eggctl group create Sunday --color yellow --icon food-egg
      eggctl schedule 6m30s --group Sunday
      eggctl group
      eggctl group show Sunday
      eggctl group rename Sunday brunch
      eggctl group delete brunch --keep-alarms

      A group shows how much of it is done. Its icon stands in the notifications
      of its alarms.
      """,
    subcommands: [
      GroupList.self, GroupCreate.self, GroupShow.self, GroupRename.self, GroupEdit.self, GroupDelete.self,
    ],
    defaultSubcommand: GroupList.self)
}

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
    let call = CreateGroupCall(name: name, color: color, icon: icon.map(surroundings.iconName))
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}

/// `eggctl group show`: one group and its alarms.
struct GroupShow: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a group and its alarms.", discussion: "eggctl group show Sunday")

  @Argument(help: "What it is called.") var name: String
  @Flag(name: .long, help: "Print the group as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let connection = try Connection(surroundings)
    let output = surroundings.output
    guard let group = try connection.read(ListGroupsCall(name: name)).groups.first else {
      throw Failure(.refused, "there is no group '\(name.visible)'")
    }
    if json { return try output.data(JSON.text(group) + "\n") }
    let moments = try Moments(surroundings)
    try output.data(GroupTable(moments, colours: output.colours.data).text([group]))
    if let icon = group.icon { try output.data("icon  \(icon.visible)\n") }
    guard group.alarms > 0 else {
      return try output.hint("eggctl schedule 6m30s --group \(name.shellQuoted)")
    }
    try output.data("\n")
    var table = ListTable(AlarmText(moments: moments), colours: output.colours.data)
    let call = ListCall(fields: [.due, .label, .latest, .remaining], group: name)
    try connection.pages(call) { page in
      if !page.alarms.isEmpty { try output.data(table.page(page)) }
    }
  }
}

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
    call.icon = icon.map(surroundings.iconName)
    guard call != EditGroupCall(name: name) else {
      throw Failure(.usage, "nothing to change was given", hint: "eggctl help group edit")
    }
    try surroundings.show(try Connection(surroundings).call(call), asJSON: json)
  }
}

/// `eggctl group delete`: deletes a group, and its alarms if that is wanted.
struct GroupDelete: Verb {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a group; asks first.",
    discussion: """
      eggctl group delete Sunday --keep-alarms
      eggctl group delete Sunday --delete-alarms -y
      """)

  @Argument(help: "What it is called.") var name: String
  @Flag(help: "Its alarms stay, in no group.") var keepAlarms = false
  @Flag(help: "Its alarms are deleted too: those that are to come never ring.") var deleteAlarms = false
  @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    if keepAlarms, deleteAlarms {
      throw Failure(.usage, "--keep-alarms and --delete-alarms exclude each other")
    }
    let connection = try Connection(surroundings)
    let alarms = try connection.read(ListGroupsCall(name: name)).groups.first?.alarms ?? 0
    if alarms > 0, !keepAlarms, !deleteAlarms {
      throw Failure(
        .usage, "'\(name.visible)' has \(counted(alarms, "alarm")): give --keep-alarms or --delete-alarms",
        hint: "eggctl group delete \(name.shellQuoted) --keep-alarms")
    }
    if !yes {
      guard surroundings.ask != nil else {
        throw Failure(
          .usage, "a group is deleted only with -y", hint: "eggctl group delete \(name.shellQuoted) … -y")
      }
      let fate = deleteAlarms ? " and its \(counted(alarms, "alarm"))" : ""
      try surroundings.confirm("delete the group '\(name.visible)'\(fate)?")
    }
    let reply = try connection.call(DeleteGroupCall(name: name, alarms: deleteAlarms ? .delete : .keep))
    if json { return try surroundings.output.data(JSON.text(reply) + "\n") }
    let rang = reply.rang.isEmpty ? "" : " · had already rung: \(reply.rang.numberList)"
    let fate =
      reply.count == 0
      ? ""
      : deleteAlarms
        ? " and \(counted(reply.count, "alarm"))" : "; \(counted(reply.count, "alarm")) left it"
    try surroundings.output.data("deleted the group '\(name.visible)'\(fate)\(rang)\n")
  }
}

extension Group.Color: ExpressibleByArgument {
  fileprivate static var names: String { allCases.map(\.rawValue).list }
}

extension Surroundings {
  fileprivate func show(_ reply: GroupReply, asJSON json: Bool) throws {
    if json { return try output.data(JSON.text(reply.group) + "\n") }
    try output.data(GroupTable(try Moments(self), colours: output.colours.data).text([reply.group]))
  }
}

extension Failure {
  fileprivate static func checkGroup(_ name: String) throws {
    guard !name.isEmpty else { throw Failure(.usage, "a group's name is not empty") }
    if name.utf8.count > Limits.keyBytes { throw invalidText("group", limit: Int64(Limits.keyBytes)) }
    let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isPlain else { throw invalidText("group", limit: nil) }
  }
}
