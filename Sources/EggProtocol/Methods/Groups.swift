import Alarms
import EggTime

public struct CreateGroupCall: ScheduleMethod {
  public static let method = "CreateGroup"
  public typealias Reply = GroupReply

  /// Unique among groups.
  public var name: String
  /// How its name stands out.
  public var color: Group.Color?
  /// An icon's name or file.
  public var icon: String?

  public init(name: String, color: Group.Color? = nil, icon: String? = nil) {
    self.name = name
    self.color = color
    self.icon = icon
  }
}

public struct GroupReply: Codable, Equatable, Sendable {
  public var group: WireGroup
  /// The number of the last change.
  public var sequence: Int64

  public init(group: WireGroup, sequence: Int64) {
    self.group = group
    self.sequence = sequence
  }
}

/// Changes a group. Absent fields stay.
public struct EditGroupCall: ScheduleMethod {
  public static let method = "EditGroup"
  public typealias Reply = GroupReply

  public var name: String
  public var newName: String?
  public var color: Group.Color?
  public var plain: Bool?
  /// An icon's name or file; empty removes it.
  public var icon: String?

  public init(name: String) { self.name = name }
}

public struct DeleteGroupCall: ScheduleMethod {
  public static let method = "DeleteGroup"
  public typealias Reply = DeleteGroupReply

  public var name: String
  public var alarms: GroupAlarms

  public init(name: String, alarms: GroupAlarms) {
    self.name = name
    self.alarms = alarms
  }
}

public enum GroupAlarms: String, WireEnum {
  case keep
  case delete
}

public struct DeleteGroupReply: Codable, Equatable, Sendable {
  public var count: Int64
  /// Alarms that rang before their deletion, at most the first 10 000.
  public var rang: [Int64]
  /// The number of the last change.
  public var sequence: Int64

  public init(count: Int64, rang: [Int64], sequence: Int64) {
    self.count = count
    self.rang = Array(rang.prefix(DeleteReply.named))
    self.sequence = sequence
  }
}

public struct ListGroupsCall: ScheduleMethod {
  public static let method = "ListGroups"
  public typealias Reply = ListGroupsReply

  /// Only the group with this name.
  public var name: String?

  public init(name: String? = nil) { self.name = name }
}

public struct ListGroupsReply: Codable, Equatable, Sendable {
  /// Sorted by name.
  public var groups: [WireGroup]

  public init(groups: [WireGroup]) { self.groups = groups }
}

/// A group on the wire, with sums over its alarms.
public struct WireGroup: Codable, Equatable, Sendable {
  public var name: String
  @OpenOptional public var color: Group.Color?
  /// An icon for the notifications of its alarms.
  public var icon: String?
  public var alarms: Int64
  /// How many alarms are marked done.
  public var done: Int64
  public var eggs: Int64
  /// The earliest moment of its alarms to come.
  public var next: Instant?

  public init(
    name: String, color: Group.Color? = nil, icon: String? = nil, alarms: Int64 = 0, done: Int64 = 0,
    eggs: Int64 = 0, next: Instant? = nil
  ) {
    self.name = name
    self.color = color
    self.icon = icon
    self.alarms = alarms
    self.done = done
    self.eggs = eggs
    self.next = next
  }
}
