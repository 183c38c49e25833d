import Alarms

/// Creates all alarms that this connection has staged, in one change.
public struct CommitImportCall: ScheduleMethod {
  public static let method = "CommitImport"
  public typealias Reply = CommitImportReply

  public init() {}
}

/// What an import made.
public struct CommitImportReply: Codable, Equatable, Sendable {
  /// How many alarms it made.
  public var count: Int64
  /// How many were there already, by their identity.
  public var existed: Int64
  /// How many of those made had passed what they waited for: they are recorded as missed.
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
