import Alarms

/// Changes a group. Absent fields stay.
public struct EditGroupCall: ScheduleMethod {
  public static let method = "EditGroup"
  public typealias Reply = GroupReply

  public var name: String
  public var newName: String?
  public var color: Group.Color?
  /// Removes the colour.
  public var plain: Bool?
  /// An icon's name or file; empty removes it.
  public var icon: String?

  public init(name: String) { self.name = name }
}
