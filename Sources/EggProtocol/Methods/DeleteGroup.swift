import Alarms

/// Deletes a group.
public struct DeleteGroupCall: ScheduleMethod {
  /// The interface's name for it.
  public static let method = "DeleteGroup"
  /// What it is answered with.
  public typealias Reply = DeleteGroupReply

  /// What it is called.
  public var name: String
  /// What becomes of its alarms.
  public var alarms: GroupAlarms

  /// All fields.
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

  /// All fields.
  public init(count: Int64, rang: [Int64], sequence: Int64) {
    self.count = count
    self.rang = Array(rang.prefix(DeleteReply.named))
    self.sequence = sequence
  }
}
