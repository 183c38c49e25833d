import Alarms

/// Creates all alarms that this connection has staged, in one change. For a synchronised calendar, it also changes
/// those whose identities exist and deletes others.
public struct CommitImportCall: ScheduleMethod {
  public static let method = "CommitImport"
  public typealias Reply = CommitImportReply

  /// The caller's name of a synchronised calendar, 1 to 255 bytes.
  public var calendar: String?
  /// Required with a calendar: ``SyncMarkCall`` replies it from this change on. 1 to 255 bytes.
  public var mark: String?
  /// Only with a calendar: refused if the list's last change has another number.
  public var sequence: Int64?

  public init() {}
}

public struct CommitImportReply: Codable, Equatable, Sendable {
  /// How many alarms were created.
  public var count: Int64
  /// How many were skipped because an alarm with their identity exists.
  public var existed: Int64
  /// How many of the created alarms were recorded as missed because their moment had passed.
  public var missed: Int64
  /// The number of the last change.
  public var sequence: Int64
  /// How many were changed for a calendar.
  public var replaced: Int64?
  /// How many were deleted for a calendar.
  public var deleted: Int64?

  public init(
    count: Int64, existed: Int64, missed: Int64, sequence: Int64, replaced: Int64? = nil,
    deleted: Int64? = nil
  ) {
    (self.replaced, self.deleted) = (replaced, deleted)
    self.count = count
    self.existed = existed
    self.missed = missed
    self.sequence = sequence
  }
}
