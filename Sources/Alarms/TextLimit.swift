import EggTime

/// Why a text is refused.
public enum TextProblem: Hashable, Sendable {
  /// It has so many grapheme clusters, and may have no more than `limit`.
  case characters(Int, limit: Int)
  /// It has more than so many bytes.
  case bytes(limit: Int)
  /// It holds a control character.
  case control
}

/// A text that people give an alarm or a group, and what it may be like. eggctl and eggd check texts here and nowhere else.
public enum LimitedText: String, Sendable {
  case label, summary, body, note, icon, sound, run, group, daysOff, key, expression

  /// nil for a text that is fine. Bytes are counted first, which costs nothing: a character can be a megabyte long.
  public func problem(in text: String) -> TextProblem? {
    let (characters, usual) = limits
    let isRule = self == .expression && text.utf8.count > usual && RecurrenceSet.isMeant(by: text)
    let bytes = isRule ? Limits.ruleBytes : usual
    if text.utf8.count > bytes { return .bytes(limit: bytes) }
    if hasControl(text) { return .control }
    if let characters {
      let count = text.count
      if count > characters { return .characters(count, limit: characters) }
    }
    return nil
  }

  private var limits: (characters: Int?, bytes: Int) {
    switch self {
    case .label: (Limits.labelCharacters, Limits.labelBytes)
    case .summary: (Limits.summaryCharacters, Limits.summaryBytes)
    case .body: (Limits.bodyCharacters, Limits.bodyBytes)
    case .note: (Limits.noteCharacters, Limits.noteBytes)
    case .icon: (nil, Limits.iconBytes)
    case .sound: (nil, Limits.soundBytes)
    case .run: (nil, Limits.runBytes)
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
