import Alarms

/// Changes a group; what is left out stays.
public struct EditGroupCall: ScheduleMethod {
  public static let method = "EditGroup"
  public typealias Reply = GroupReply

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
