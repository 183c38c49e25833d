/// A group of alarms, as stored. Its totals are counted on demand.
public struct Group: Hashable, Sendable {
  /// Unique; at most ``Limits/keyBytes`` bytes.
  public var name: String
  /// Colour of the name in listings.
  public var color: Color?
  /// An icon name or file for notifications of alarms without their own.
  public var icon: String?

  /// Terminal colours readable on light and dark backgrounds.
  public enum Color: String, CaseIterable, Sendable {
    case red
    case yellow
    case green
    case cyan
    case blue
    case magenta
    case gray
  }

  public init(name: String, color: Color? = nil, icon: String? = nil) {
    self.name = name
    self.color = color
    self.icon = icon
  }
}
