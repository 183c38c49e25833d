import Alarms

/// Deletes alarms: after the reply no ring of them begins.
public struct DeleteCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "Delete"
  /// What it is answered with.
  public typealias Reply = DeleteReply

  /// Numbers of alarms.
  public var numbers: [Int64]?
  /// Identities of alarms.
  public var ids: [AlarmID]?
  /// Ranges of numbers.
  public var ranges: [NumberRange]?
  /// Every alarm.
  public var all: Bool?

  /// These alarms.
  public init(_ selection: WireSelection) { self.selection = selection }
}

/// What was deleted.
public struct DeleteReply: Codable, Equatable, Sendable {
  /// Numbers, ascending.
  public var deleted: [Int64]
  /// Those whose ring came before their deletion.
  public var rang: [Int64]
  /// Numbers that no alarm had.
  public var missing: [Int64]
  /// Identities that no alarm had.
  public var missingIds: [AlarmID]
  /// The number of the last change.
  public var sequence: Int64

  /// All fields.
  public init(
    deleted: [Int64], rang: [Int64], missing: [Int64], missingIds: [AlarmID], sequence: Int64
  ) {
    self.deleted = deleted
    self.rang = rang
    self.missing = missing
    self.missingIds = missingIds
    self.sequence = sequence
  }
}
