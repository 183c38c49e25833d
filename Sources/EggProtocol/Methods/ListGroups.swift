import Alarms

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
