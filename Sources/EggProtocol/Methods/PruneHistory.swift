import Alarms
import EggTime

/// Forgets what became of deleted alarms.
public struct PruneHistoryCall: ScheduleMethod {
  public static let method = "PruneHistory"
  public typealias Reply = PruneHistoryReply

  /// Only of the alarm of this number.
  public var number: Int64?
  /// Only of alarms that were deleted before.
  public var deletedBefore: Instant?

  public init(number: Int64? = nil, deletedBefore: Instant? = nil) {
    self.number = number
    self.deletedBefore = deletedBefore
  }
}

public struct PruneHistoryReply: Codable, Equatable, Sendable {
  /// How many occurrences are forgotten.
  public var count: Int64
  /// The last change; forgetting is none.
  public var sequence: Int64

  public init(count: Int64, sequence: Int64) {
    self.count = count
    self.sequence = sequence
  }
}
