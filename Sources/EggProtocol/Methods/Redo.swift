import Alarms
import EggTime

/// Makes the last undone change again.
public struct RedoCall: ScheduleMethod {
  public static let method = "Redo"
  public typealias Reply = UndoReply

  /// Whether to only report the change, not make it.
  public var preview: Bool?
  /// The number of the undo to revert; the last one if absent.
  public var sequence: Int64?

  public init(preview: Bool? = nil, sequence: Int64? = nil) {
    self.preview = preview
    self.sequence = sequence
  }
}
