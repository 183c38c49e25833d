import Alarms
import EggTime

/// What Undo and Redo share.
public protocol UndoMethod: ScheduleMethod where Reply == UndoReply {
  init(preview: Bool?, sequence: Int64?)
}

public struct UndoCall: UndoMethod {
  public static let method = "Undo"
  public typealias Reply = UndoReply

  /// Whether to only report the change, not undo it.
  public var preview: Bool?
  /// The number of the change to undo; the last one if absent.
  public var sequence: Int64?

  public init(preview: Bool? = nil, sequence: Int64? = nil) {
    self.preview = preview
    self.sequence = sequence
  }
}

/// The change that was undone or redone; in a preview, that would be.
public struct UndoReply: Codable, Equatable, Sendable {
  public var change: ChangeKind
  public var madeAt: Instant
  /// The program that made the change; nil if unknown.
  public var client: String?
  /// Whether the same program made it in the same session.
  public var own: Bool
  /// How many alarms the change created, changed or deleted.
  public var count: Int64
  /// At most the first 1 000 alarms.
  public var numbers: [Int64]
  /// The label of the first alarm, or the group's name.
  public var label: String?
  /// Restored alarms whose moment has passed: they are recorded as missed.
  public var missed: [Int64]
  /// The number of the last change; in a preview, that of the change to undo.
  public var sequence: Int64

  public init(
    change: ChangeKind, madeAt: Instant, client: String?, own: Bool, count: Int64, numbers: [Int64],
    label: String?, missed: [Int64], sequence: Int64
  ) {
    self.change = change
    self.madeAt = madeAt
    self.client = client
    self.own = own
    self.count = count
    self.numbers = numbers
    self.label = label
    self.missed = missed
    self.sequence = sequence
  }
}

/// Makes the last undone change again.
public struct RedoCall: UndoMethod {
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
