import Alarms

/// Asks for the groups with their sums.
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
