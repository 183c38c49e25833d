public struct InterfaceError: Error, Equatable, Sendable {
  /// From 1; 0 for the text as a whole.
  public let line: Int
  /// English, lower case, no full stop.
  public let reason: String
}
