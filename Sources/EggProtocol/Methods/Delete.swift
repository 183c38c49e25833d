import Alarms
import EggTime
import Varlink

/// Deletes alarms: after the reply no ring of them begins.
public struct DeleteCall: SelectingCall {
  public static let method = "Delete"
  public typealias Reply = DeleteReply

  @Inlined public var selection: WireSelection
  /// If given, only alarms that rang before this moment and will not ring again.
  public var rungBefore: Instant?

  public init(_ selection: WireSelection, rungBefore: Instant? = nil) {
    self.rungBefore = rungBefore
    self.selection = selection
  }
}

public struct DeleteReply: Codable, Equatable, Sendable {
  public var count: Int64
  /// Ascending numbers, at most the first 10 000.
  public var deleted: [Int64]
  /// The label of each of a few deleted alarms, or the time as it was entered.
  public var names: [String]?
  /// Alarms that rang before their deletion, at most the first 10 000.
  public var rang: [Int64]
  /// Numbers without an alarm.
  public var missing: [Int64]
  /// Identities without an alarm.
  public var missingIds: [AlarmID]
  /// The number of the last change.
  public var sequence: Int64

  /// The most numbers in one list of a reply, so that the reply fits a message.
  public static let named = 10_000

  /// Counts all of `deleted`; keeps the first ``named`` numbers of `deleted` and of `rang`.
  public init(
    deleted: [Int64], names: [String]? = nil, rang: [Int64], missing: [Int64], missingIds: [AlarmID],
    sequence: Int64
  ) {
    count = Int64(deleted.count)
    self.deleted = Array(deleted.prefix(Self.named))
    self.names = names
    self.rang = Array(rang.prefix(Self.named))
    self.missing = missing
    self.missingIds = missingIds
    self.sequence = sequence
  }
}
