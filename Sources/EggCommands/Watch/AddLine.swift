import Alarms
import EggTime

/// What a line that was typed to make an alarm says: a time as far as the words make one; the rest is the label.
enum AddLine {
  case empty
  case alarm(TimeExpression, first: Instant, label: String?)
  /// Why no alarm can be made of it, and the byte of the line at which that shows.
  case wrong(String, offset: Int)

  /// Reads the line. As on the command line, a label that is a time by itself, or looks like one, is refused; it may
  /// stand in quotes.
  static func read(_ line: String, in context: ReadingContext) -> AddLine {
    let words = line.split(separator: " ")
    guard let first = words.first, let last = words.last else { return .empty }
    for (index, word) in words.enumerated().reversed() {
      guard let time = try? read(line[first.startIndex..<word.endIndex], in: context) else { continue }
      guard index + 1 < words.count else { return alarm(time, label: nil, in: context, at: 0) }
      let rest = line[words[index + 1].startIndex..<last.endIndex]
      let offset = line[..<rest.startIndex].utf8.count
      if rest.split(separator: " ").contains(where: { String($0).hasClockForm }) { break }
      if (try? read(rest, in: context)) != nil {
        return .wrong("is '\(rest.visible)' the label? then \"\(rest.visible)\"", offset: offset)
      }
      return alarm(time, label: rest.unquoted, in: context, at: offset)
    }
    do throws(ExpressionError) {
      _ = try read(line[first.startIndex..<last.endIndex], in: context)
      return .empty
    } catch {
      return wrong(error, at: line[..<first.startIndex].utf8.count)
    }
  }

  private static func read(
    _ text: Substring, in context: ReadingContext
  ) throws(ExpressionError) -> TimeExpression {
    try TimeExpression.read(String(text), in: context)
  }

  private static func alarm(
    _ time: TimeExpression, label: String?, in context: ReadingContext, at offset: Int
  ) -> AddLine {
    if let failure = label.flatMap(AlarmValues.failure(ofLabel:)) {
      return .wrong(failure.message, offset: offset)
    }
    do throws(ExpressionError) {
      return .alarm(time, first: try time.instant(in: context), label: label)
    } catch {
      return wrong(error, at: 0)
    }
  }

  private static func wrong(_ error: ExpressionError, at start: Int) -> AddLine {
    switch error {
    case .unreadable(let offset, let reason, let nearest):
      .wrong("\(reason)" + (nearest.map { "; \($0.visible)?" } ?? ""), offset: start + offset)
    case .inThePast: .wrong("that is in the past", offset: start)
    }
  }
}

extension Substring {
  /// Without the quotes around it, if there are any; nil where that leaves nothing.
  fileprivate var unquoted: String? {
    let isQuoted = count > 1 && ["\"", "'"].contains(prefix(1)) && first == last
    let text = isQuoted ? dropFirst().dropLast() : self
    return text.isEmpty ? nil : String(text)
  }
}
