import Alarms
import EggTime

/// Asks for past occurrences, page by page.
public struct HistoryCall: ScheduleMethod {
  public static let method = "History"
  public typealias Reply = HistoryReply

  /// Only those of the alarm with this number.
  public var number: Int64?
  /// Only those of the alarm with this identity.
  public var id: AlarmID?
  /// The most occurrences on a page, 1 to 1 000; 1 000 if absent.
  public var limit: Int64?
  /// Starts before the occurrence with this id.
  public var before: Int64?

  public init(number: Int64? = nil, id: AlarmID? = nil, limit: Int64? = nil, before: Int64? = nil) {
    self.number = number
    self.id = id
    self.limit = limit
    self.before = before
  }
}

public struct HistoryReply: Codable, Equatable, Sendable {
  /// Latest first.
  public var past: [Past]
  /// Where the next page starts: before this id. nil on the last page.
  public var before: Int64?

  public init(past: [Past], before: Int64?) {
    self.past = past
    self.before = before
  }
}

public struct Past: Codable, Equatable, Sendable {
  public var number: Int64
  public var label: String?
  /// What became of it.
  public var occurrence: WireOccurrence
  /// When the alarm was deleted; nil while it exists.
  public var deletedAt: Instant?

  public init(number: Int64, label: String?, occurrence: WireOccurrence, deletedAt: Instant? = nil) {
    self.number = number
    self.label = label
    self.occurrence = occurrence
    self.deletedAt = deletedAt
  }
}

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
