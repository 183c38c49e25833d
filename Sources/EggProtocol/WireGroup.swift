import Alarms
import EggTime

/// A group on the wire, with sums over its alarms.
public struct WireGroup: Codable, Equatable, Sendable {
  public var name: String
  @OpenOptional public var color: Group.Color?
  /// An icon for the notifications of its alarms.
  public var icon: String?
  public var alarms: Int64
  /// How many alarms are marked done.
  public var done: Int64
  public var eggs: Int64
  /// The earliest moment of its alarms to come.
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
