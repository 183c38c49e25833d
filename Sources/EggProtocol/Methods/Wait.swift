import Alarms
import EggTime

/// Waits until alarms ring.
public struct WaitCall: ScheduleMethod {
  public static let method = "Wait"
  public typealias Reply = WaitReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  /// Whether the first of them is enough; all are waited for if absent.
  public var any: Bool?
  /// A ring at this moment or later counts too, though it is over: the moment of the first asking, where this is not
  /// the first.
  public var since: Instant?

  public init(numbers: [Int64]? = nil, ids: [AlarmID]? = nil, any: Bool? = nil, since: Instant? = nil) {
    self.numbers = numbers
    self.ids = ids
    self.any = any
    self.since = since
  }
}

/// What has become of the alarms so far.
public struct WaitReply: Codable, Equatable, Sendable {
  /// Those that have rung, in the order in which that was noticed.
  public var rang: [Int64]
  /// Those that were deleted before they rang, in that order.
  public var deleted: [Int64]
  /// The number of the last change that this holds.
  public var sequence: Int64

  public init(rang: [Int64], deleted: [Int64], sequence: Int64) {
    self.rang = rang
    self.deleted = deleted
    self.sequence = sequence
  }
}
