import Alarms

/// Makes a group.
public struct CreateGroupCall: ScheduleMethod {
  /// The interface's name for it.
  public static let method = "CreateGroup"
  /// What it is answered with.
  public typealias Reply = GroupReply

  /// What people call it; no other group has it.
  public var name: String
  /// How its name stands out.
  public var color: Group.Color?
  /// An icon's name or file.
  public var icon: String?

  /// All fields.
  public init(name: String, color: Group.Color? = nil, icon: String? = nil) {
    self.name = name
    self.color = color
    self.icon = icon
  }
}

/// A group after a change of it.
public struct GroupReply: Codable, Equatable, Sendable {
  /// The group as it now is.
  public var group: WireGroup
  /// The number of the last change.
  public var sequence: Int64

  /// All fields.
  public init(group: WireGroup, sequence: Int64) {
    self.group = group
    self.sequence = sequence
  }
}

/// Changes a group; what is left out stays.
public struct EditGroupCall: ScheduleMethod {
  /// The interface's name for it.
  public static let method = "EditGroup"
  /// What it is answered with.
  public typealias Reply = GroupReply

  /// What it is called.
  public var name: String
  /// What it is to be called.
  public var newName: String?
  /// How its name is to stand out.
  public var color: Group.Color?
  /// Takes the colour away.
  public var plain: Bool?
  /// An icon's name or file; an empty text takes it away.
  public var icon: String?

  /// A change of that group that changes nothing yet.
  public init(name: String) { self.name = name }
}

/// Deletes a group.
public struct DeleteGroupCall: ScheduleMethod {
  /// The interface's name for it.
  public static let method = "DeleteGroup"
  /// What it is answered with.
  public typealias Reply = DeleteGroupReply

  /// What it is called.
  public var name: String
  /// What becomes of its alarms.
  public var alarms: GroupAlarms

  /// All fields.
  public init(name: String, alarms: GroupAlarms) {
    self.name = name
    self.alarms = alarms
  }
}

/// What becomes of the alarms of a group that is deleted.
public enum GroupAlarms: String, WireEnum {
  /// They are in no group.
  case keep
  /// They are deleted: what has not rung never does.
  case delete
}

/// What became of a group's alarms.
public struct DeleteGroupReply: Codable, Equatable, Sendable {
  /// How many were in it.
  public var count: Int64
  /// Those whose ring came before their deletion, the first 10 000.
  public var rang: [Int64]
  /// The number of the last change.
  public var sequence: Int64

  /// All fields.
  public init(count: Int64, rang: [Int64], sequence: Int64) {
    self.count = count
    self.rang = Array(rang.prefix(DeleteReply.named))
    self.sequence = sequence
  }
}

/// Asks for the groups and what they sum up to.
public struct ListGroupsCall: ScheduleMethod {
  /// The interface's name for it.
  public static let method = "ListGroups"
  /// What it is answered with.
  public typealias Reply = ListGroupsReply

  /// Only the group of this name.
  public var name: String?

  /// All groups, or one.
  public init(name: String? = nil) { self.name = name }
}

/// The groups.
public struct ListGroupsReply: Codable, Equatable, Sendable {
  /// By name.
  public var groups: [WireGroup]

  /// All fields.
  public init(groups: [WireGroup]) { self.groups = groups }
}
