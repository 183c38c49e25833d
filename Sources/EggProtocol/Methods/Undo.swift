import Alarms
import EggTime

/// Takes the last change back.
public struct UndoCall: ScheduleMethod {
  public static let method = "Undo"
  public typealias Reply = UndoReply

  /// Only tells which change that would be.
  public var preview: Bool?
  /// The number of the change that is meant; whichever is the last if absent.
  public var sequence: Int64?

  public init(preview: Bool? = nil, sequence: Int64? = nil) {
    self.preview = preview
    self.sequence = sequence
  }
}

/// The change that was taken back or made again, or would be.
public struct UndoReply: Codable, Equatable, Sendable {
  /// What sort of change it was.
  @Open public var change: ChangeKind
  public var madeAt: Instant
  /// The program that asked for it; nil where that is not known.
  public var client: String?
  /// Whether it was asked for by the caller's program in the caller's session.
  public var own: Bool
  /// How many alarms it made, changed or deleted.
  public var count: Int64
  /// Their numbers, the first 1 000.
  public var numbers: [Int64]
  /// What the first of them is called, or the group.
  public var label: String?
  /// Those whose moments came while they were away: they are recorded as missed.
  public var missed: [Int64]
  /// The number of the last change; in a preview, the number of the change that is told of.
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
