/// Asks which of its changes a synchronised calendar has made; see ``CommitImportCall``.
public struct SyncMarkCall: ScheduleMethod {
  public static let method = "SyncMark"
  public typealias Reply = SyncMarkReply

  /// The caller's name of the calendar, 1 to 255 bytes.
  public var calendar: String

  public init(calendar: String) { self.calendar = calendar }
}

public struct SyncMarkReply: Codable, Equatable, Sendable {
  /// The mark of the calendar's last change; nil if it made none.
  public var mark: String?
  /// The number of the list's last change.
  public var sequence: Int64

  public init(mark: String?, sequence: Int64) {
    self.mark = mark
    self.sequence = sequence
  }
}
