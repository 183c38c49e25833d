import Alarms
import EggTime

/// Forgets the past of deleted alarms.
public struct PruneHistoryCall: ScheduleMethod {
  public static let method = "PruneHistory"
  public typealias Reply = PruneHistoryReply

  /// Only that of the alarm with this number.
  public var number: Int64?
  /// Only that of alarms deleted before this moment.
  public var deletedBefore: Instant?

  public init(number: Int64? = nil, deletedBefore: Instant? = nil) {
    self.number = number
    self.deletedBefore = deletedBefore
  }
}

public struct PruneHistoryReply: Codable, Equatable, Sendable {
  /// How many occurrences were forgotten.
  public var count: Int64
  /// The number of the last change; forgetting is not counted as one.
  public var sequence: Int64

  public init(count: Int64, sequence: Int64) {
    self.count = count
    self.sequence = sequence
  }
}
