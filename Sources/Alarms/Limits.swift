/// The bounds of what an alarm may hold. The wire refuses what is beyond them.
public enum Limits {
  /// Characters (grapheme clusters) of a label.
  public static let labelCharacters = 30
  /// Bytes of a label.
  public static let labelBytes = 512
  /// Characters of a summary.
  public static let summaryCharacters = 200
  /// Characters of a body.
  public static let bodyCharacters = 1_000
  /// Bytes of a summary: a character can have any number of combining marks.
  public static let summaryBytes = 4_096
  /// Bytes of a body.
  public static let bodyBytes = 16_384
  /// Bytes of an icon's name or path.
  public static let iconBytes = 4_096
  /// Bytes of a key, a group's name or an expression.
  public static let keyBytes = 200
  /// How many eggs.
  public static let eggs: ClosedRange<Int64> = 1...1_000_000
}
