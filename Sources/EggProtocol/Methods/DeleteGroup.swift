import Alarms

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
  /// They stay, without a group.
  case keep
  case delete
}

public struct DeleteGroupReply: Codable, Equatable, Sendable {
  /// How many alarms the group had.
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
