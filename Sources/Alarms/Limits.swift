import EggTime

/// Limits of an alarm's fields, checked at the wire.
public enum Limits {
  /// Grapheme clusters.
  public static let labelCharacters = 30
  public static let labelBytes = 512
  /// Grapheme clusters.
  public static let summaryCharacters = 200
  /// Grapheme clusters.
  public static let bodyCharacters = 1_000
  /// Needed as well: a character can have any number of combining marks.
  public static let summaryBytes = 4_096
  public static let bodyBytes = 16_384
  public static let noteCharacters = 1_000
  public static let noteBytes = 16_384
  /// How often an alarm can repeat itself until it is answered.
  public static let insist: ClosedRange<TimeSpan> = .seconds(10) ... .seconds(3_600)
  /// How long after its ring an alarm goes on repeating itself.
  public static let insistTime = TimeSpan.seconds(3_600)
  /// Of an icon's name or path.
  public static let iconBytes = 4_096
  /// Of a sound's name or path.
  public static let soundBytes = 4_096
  /// Of a command with its arguments.
  public static let runBytes = 4_096
  /// Of a key, a group's name or an expression.
  public static let keyBytes = 200
  /// Of an expression that is a rule of RFC 5545.
  public static let ruleBytes = RecurrenceSet.longest
  public static let eggs: ClosedRange<Int64> = 1...1_000_000
  /// Of an alarm, besides the moment itself.
  public static let leads = 8
  /// Ranges of days that an alarm skips.
  public static let skips = 64
  /// Calendars of days off, and the ranges of days of each.
  public static let daysOff = (calendars: 100, ranges: 4_000)
  /// Calendars that an alarm names.
  public static let namedDaysOff = 8
}
