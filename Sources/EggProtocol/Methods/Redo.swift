import Alarms
import EggTime

/// Makes the change again that was taken back last.
public struct RedoCall: ScheduleMethod {
  public static let method = "Redo"
  public typealias Reply = UndoReply

  /// Only tells which change that would be.
  public var preview: Bool?
  /// The number of the undo that is meant; whichever is the last if absent.
  public var sequence: Int64?

  public init(preview: Bool? = nil, sequence: Int64? = nil) {
    self.preview = preview
    self.sequence = sequence
  }
}
