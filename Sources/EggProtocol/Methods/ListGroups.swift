import Alarms

/// Asks for the groups and what they sum up to.
public struct ListGroupsCall: ScheduleMethod {
  public static let method = "ListGroups"
  public typealias Reply = ListGroupsReply

  /// Only the group of this name.
  public var name: String?

  /// All groups, or one.
  public init(name: String? = nil) { self.name = name }
}

public struct ListGroupsReply: Codable, Equatable, Sendable {
  /// By name.
  public var groups: [WireGroup]

  public init(groups: [WireGroup]) { self.groups = groups }
}
