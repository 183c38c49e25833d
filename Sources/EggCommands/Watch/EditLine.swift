import EggTime

/// What a line that was typed to change an alarm says: a new time, a label behind it or in its place, in quotes. Empty
/// quotes take the label away.
enum EditLine {
  case empty
  case edit(time: TimeExpression?, first: Instant?, label: String?)
  /// Why nothing can be changed by it, and the byte of the line at which that shows.
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

  /// A span that was typed, negative behind a minus; nil where it is none.
  static func span(_ line: String, in context: ReadingContext) -> TimeSpan? {
    let words = line.drop { $0 == " " }
    let isEarlier = words.hasPrefix("-")
    let text = String(isEarlier || words.hasPrefix("+") ? words.dropFirst() : words)
    guard case .span(let span)? = try? TimeExpression.read(text, in: context, as: .span).reading else {
      return nil
    }
    return isEarlier ? .zero - span : span
  }
}

extension String {
  /// What stands between the quotes around the whole of it; nil where there are none.
  fileprivate var quotedWhole: String? {
    let text = drop { $0 == " " }
    guard let quote = text.first, quote == "\"" || quote == "'", let last = text.lastIndex(of: quote),
      last > text.startIndex, text[text.index(after: last)...].allSatisfy({ $0 == " " })
    else { return nil }
    return String(text[text.index(after: text.startIndex)..<last])
  }
}
