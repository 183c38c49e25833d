/// Why an interface text was refused.
public struct InterfaceError: Error, Equatable, Sendable {
  /// Counted from 1; 0 for what concerns the text as a whole.
  public let line: Int
  /// English, lower case, no full stop.
  public let reason: String
}
