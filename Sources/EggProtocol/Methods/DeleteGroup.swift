import Alarms

/// Deletes a group.
public struct DeleteGroupCall: ScheduleMethod {
  public static let method = "DeleteGroup"
  public typealias Reply = DeleteGroupReply

  public var name: String
  /// What becomes of its alarms.
  public var alarms: GroupAlarms

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

  public init(count: Int64, rang: [Int64], sequence: Int64) {
    self.count = count
    self.rang = Array(rang.prefix(DeleteReply.named))
    self.sequence = sequence
  }
}
