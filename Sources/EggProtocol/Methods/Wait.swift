import Alarms
import EggTime

/// Waits until alarms ring.
public struct WaitCall: ScheduleMethod {
  public static let method = "Wait"
  public typealias Reply = WaitReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  /// Whether one ring is enough; false if absent.
  public var any: Bool?
  /// Rings at or after this moment count, even past ones. A repeated call gives the moment of the first one.
  public var since: Instant?

  public init(numbers: [Int64]? = nil, ids: [AlarmID]? = nil, any: Bool? = nil, since: Instant? = nil) {
    self.numbers = numbers
    self.ids = ids
    self.any = any
    self.since = since
  }
}

/// What has happened to the alarms so far.
public struct WaitReply: Codable, Equatable, Sendable {
  /// Alarms that have rung, in the order in which eggd noticed.
  public var rang: [Int64]
  /// Alarms deleted before they rang, in the same order.
  public var deleted: [Int64]
  /// The last change that this reply reflects.
  public var sequence: Int64

  public init(rang: [Int64], deleted: [Int64], sequence: Int64) {
    self.rang = rang
    self.deleted = deleted
    self.sequence = sequence
  }
}
