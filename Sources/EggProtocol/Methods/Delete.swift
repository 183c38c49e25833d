import Alarms
import EggTime

/// Deletes alarms: after the reply no ring of them begins.
public struct DeleteCall: ScheduleMethod, SelectingCall {
  public static let method = "Delete"
  public typealias Reply = DeleteReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?
  /// Of these only such as have rung, and before that moment, and have nothing to come.
  public var rungBefore: Instant?

  public init(_ selection: WireSelection, rungBefore: Instant? = nil) {
    self.rungBefore = rungBefore
    self.selection = selection
  }
}

public struct DeleteReply: Codable, Equatable, Sendable {
  /// How many alarms were deleted.
  public var count: Int64
  /// Their numbers, ascending, the first 10 000.
  public var deleted: [Int64]
  /// Those whose ring came before their deletion, the first 10 000.
  public var rang: [Int64]
  /// Numbers that no alarm had.
  public var missing: [Int64]
  /// Identities that no alarm had.
  public var missingIds: [AlarmID]
  /// The number of the last change.
  public var sequence: Int64

  /// How many numbers a reply names, so that it fits a message.
  public static let named = 10_000

  /// Counts `deleted`, and names as many as a reply can.
  public init(
    deleted: [Int64], rang: [Int64], missing: [Int64], missingIds: [AlarmID], sequence: Int64
  ) {
    count = Int64(deleted.count)
    self.deleted = Array(deleted.prefix(Self.named))
    self.rang = Array(rang.prefix(Self.named))
    self.missing = missing
    self.missingIds = missingIds
    self.sequence = sequence
  }
}
