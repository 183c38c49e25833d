import EggTime

/// A line entered to change an alarm: a new time with an optional label, or a label alone in quotes. Empty
/// quotes remove the label.
enum EditLine {
  case empty
  case edit(time: TimeExpression?, first: Instant?, label: String?)
  /// Why the line is refused, and the byte where that shows.
  case wrong(String, offset: Int)

  static func read(_ line: String, in context: ReadingContext) -> EditLine {
    if let label = line.quotedWhole {
      if let failure = AlarmOptions.failure(ofLabel: label) { return .wrong(failure.message, offset: 0) }
      return .edit(time: nil, first: nil, label: label)
    }
    switch AddLine.read(line, in: context) {
    case .empty: return .empty
    case .wrong(let reason, let offset): return .wrong(reason, offset: offset)
    case .alarm(let time, let first, let label): return .edit(time: time, first: first, label: label)
    }
  }

  /// Reads a span, negative after a minus; nil if it is none.
  static func span(_ line: String, in context: ReadingContext) -> TimeSpan? {
    let words = line.drop { $0 == " " }
    let isEarlier = words.hasPrefix("-")
    let text = String(isEarlier || words.hasPrefix("+") ? words.dropFirst() : words)
    guard let span = try? TimeExpression.span(text, in: context) else { return nil }
    return isEarlier ? .zero - span : span
  }
}

extension String {
  /// The text between quotes that surround the whole line; nil without them.
  fileprivate var quotedWhole: String? {
    let text = unicodeScalars.drop { $0 == " " }
    guard let quote = text.first, quote == "\"" || quote == "'", let last = text.lastIndex(of: quote),
      last > text.startIndex, text[text.index(after: last)...].allSatisfy({ $0 == " " })
    else { return nil }
    return String(text[text.index(after: text.startIndex)..<last])
  }
}
