import Alarms
import EggTime

/// A group as the wire shows it, with what it sums up to.
public struct WireGroup: Codable, Equatable, Sendable {
  /// What people call it.
  public var name: String
  /// How its name stands out.
  @OpenOptional public var color: Group.Color?
  /// An icon for the notifications of its alarms.
  public var icon: String?
  /// How many alarms are in it.
  public var alarms: Int64
  /// How many of them are marked done.
  public var done: Int64
  /// How many eggs they have together.
  public var eggs: Int64
  /// The earliest moment to come of them.
  public var next: Instant?

  public init(
    name: String, color: Group.Color? = nil, icon: String? = nil, alarms: Int64 = 0, done: Int64 = 0,
    eggs: Int64 = 0, next: Instant? = nil
  ) {
    self.name = name
    self.color = color
    self.icon = icon
    self.alarms = alarms
    self.done = done
    self.eggs = eggs
    self.next = next
  }
}
