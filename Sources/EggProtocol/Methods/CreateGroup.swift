import Alarms

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
