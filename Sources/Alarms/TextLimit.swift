import EggTime

public enum TextProblem: Hashable, Sendable {
  /// It has so many grapheme clusters, and may have no more than `limit`.
  case characters(Int, limit: Int)
  case bytes(limit: Int)
  case control
}

/// A text that people give an alarm or a group, and what it may be like. eggctl and eggd check texts here and nowhere else.
public enum LimitedText: String, Sendable {
  case label, summary, body, note, icon, sound, run, runUnanswered, group, daysOff, key, expression

  /// nil for a text that is fine. Bytes are counted first, which costs nothing: a character can be a megabyte long.
  public func problem(in text: String) -> TextProblem? {
    let (characters, usual) = limits
    let isRule = self == .expression && text.utf8.count > usual && RecurrenceSet.isMeant(by: text)
    let bytes = isRule ? RecurrenceSet.longest : usual
    if text.utf8.count > bytes { return .bytes(limit: bytes) }
    if hasControl(text) { return .control }
    if let characters {
      let count = text.count
      if count > characters { return .characters(count, limit: characters) }
    }
    return nil
  }

  /// Grapheme clusters, and bytes: a character can have any number of combining marks.
  package var limits: (characters: Int?, bytes: Int) {
    switch self {
    case .label: (Limits.labelCharacters, Limits.labelBytes)
    case .summary: (Limits.summaryCharacters, 4_096)
    case .body: (Limits.bodyCharacters, 16_384)
    case .note: (Limits.noteCharacters, 16_384)
    case .icon, .sound: (nil, 4_096)
    case .run, .runUnanswered: (nil, Limits.runBytes)
    case .group, .daysOff, .key, .expression: (nil, Limits.keyBytes)
    }
  }

  /// Only a body and a note may have several lines.
  private func hasControl(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      // Most texts are ASCII, of which it is known without a table.
      let isControl = $0.value < 0x7F ? $0.value < 0x20 : $0.properties.generalCategory == .control
      return isControl && !((self == .body || self == .note) && $0 == "\n")
    }
  }
}

/// Limits of an alarm's fields, checked at the wire.
public enum Limits {
  /// Grapheme clusters.
  public static let labelCharacters = 30
  public static let labelBytes = 512
  /// Grapheme clusters.
  public static let summaryCharacters = 200
  /// Grapheme clusters.
  public static let bodyCharacters = 1_000
  public static let noteCharacters = 1_000
  /// How often an alarm can repeat itself until it is answered.
  public static let insist: ClosedRange<TimeSpan> = .seconds(10) ... .seconds(3_600)
  /// How long after its ring an alarm goes on repeating itself.
  public static let insistTime = TimeSpan.seconds(3_600)
  /// How long a ring can wait for an answer before it counts as unanswered.
  public static let unansweredAfter: ClosedRange<TimeSpan> = .seconds(1) ... .seconds(86_400)
  /// Of an alarm that has a command for then, and says no other.
  public static let usualPatience = TimeSpan.seconds(300)
  /// Of a command with its arguments.
  public static let runBytes = 4_096
  /// Of a key, a group's name or an expression.
  public static let keyBytes = 200
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
