import Alarms

/// Creates all alarms that this connection has staged, in one change.
public struct CommitImportCall: ScheduleMethod {
  public static let method = "CommitImport"
  public typealias Reply = CommitImportReply

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

  public init(count: Int64, existed: Int64, missed: Int64, sequence: Int64) {
    self.count = count
    self.existed = existed
    self.missed = missed
    self.sequence = sequence
  }
}
