import EggTime

/// A group of alarms, as it is stored. What it sums up to is counted when it is asked for.
public struct Group: Hashable, Sendable {
  /// What people call it, at most ``Limits/keyBytes`` bytes; no other group has it.
  public var name: String
  /// How its name stands out; nil for no colour.
  public var color: Color?
  /// An icon name or file for the notifications of its alarms that have none of their own.
  public var icon: String?

  /// The colours that every terminal has, on a light and on a dark ground.
  public enum Color: String, CaseIterable, Sendable {
    case red
    case yellow
    case green
    case cyan
    case blue
    case magenta
    case gray
  }

  /// All fields.
  public init(name: String, color: Color? = nil, icon: String? = nil) {
    self.name = name
    self.color = color
    self.icon = icon
  }
}
