import Alarms
import EggTime

/// Asks what became of alarms, page by page.
public struct HistoryCall: ScheduleMethod {
  public static let method = "History"
  public typealias Reply = HistoryReply

  /// Only of the alarm of this number.
  public var number: Int64?
  /// Only of the alarm of this identity.
  public var id: AlarmID?
  /// The most occurrences on a page, 1 to 1 000; 1 000 if absent.
  public var limit: Int64?
  /// Only occurrences before the one of this id.
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
  /// The id before which the next page begins; nil on the last.
  public var before: Int64?

  public init(past: [Past], before: Int64?) {
    self.past = past
    self.before = before
  }
}

/// An occurrence and whose it is.
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
