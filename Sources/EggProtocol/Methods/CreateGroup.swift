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
