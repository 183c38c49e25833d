import Alarms
import EggTime
import Gettext

/// A line entered to schedule or change an alarm: as many words as form a time, then the label.
enum AddLine {
  case empty
  /// To change an alarm: a label alone.
  case label(String)
  case alarm(TimeExpression, first: Instant, label: String?)
  /// Why the line is refused, and the byte where that shows.
  case wrong(String, offset: Int)

  /// Reads the line. As on the command line, words after the time that may belong to it are refused; quoted,
  /// they are the label.
  static func read(_ line: String, in context: ReadingContext) -> AddLine {
    let words = line.split(separator: " ")
    guard let first = words.first, let last = words.last else { return .empty }
    let whole = String(line[first.startIndex..<last.endIndex])
    if let found = TypedWords(words.map(String.init), as: nil, in: context) {
      guard found.count < words.count, found.words.count == words.count || found.suspect != nil else {
        return alarm(found.time, label: found.label, in: context, at: 0)
      }
      let rest = line[words[found.count].startIndex..<last.endIndex]
      if !rest.isQuoted, let suspect = found.suspect {
        let place = line[..<words[suspect].startIndex].utf8.count
        let times = ExpressionWords.choices(words.map(String.init), in: context).map(\.expression)
        let choices =
          times.filter { $0 != found.time.text }.map(\.visible) + [tr("the label \"\(rest.visible)\"")]
        return .wrong("\(choices.joined(separator: tr(" or ")))?", offset: place)
      }
      return alarm(found.time, label: rest.unquoted, in: context, at: line[..<rest.startIndex].utf8.count)
    }
    return TimeExpression.refusal(of: whole, in: context).map {
      wrong($0, at: line[..<first.startIndex].utf8.count)
    } ?? .empty
  }

  private static func alarm(
    _ time: TimeExpression, label: String?, in context: ReadingContext, at offset: Int
  ) -> AddLine {
    if let failure = label.flatMap(AlarmOptions.failure(ofLabel:)) {
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
    case .unreadable(let offset, let reason, let readings):
      .wrong(
        ([reason.words]
          + (readings.isEmpty ? [] : [readings.map(\.visible).joined(separator: tr(" or ")) + "?"]))
          .joined(separator: reason.words.hasSuffix("?") ? " " : "; "),
        offset: start + offset)
    case .inThePast: .wrong(tr("that is in the past"), offset: start)
    }
  }
}

extension Substring {
  fileprivate var isQuoted: Bool {
    let (first, last) = (unicodeScalars.first, unicodeScalars.last)
    return unicodeScalars.count > 1 && (first == "\"" || first == "'") && first == last
  }

  /// Without surrounding quotes; nil if nothing is left.
  fileprivate var unquoted: String? {
    let text = isQuoted ? Substring(unicodeScalars.dropFirst().dropLast()) : self
    return text.isEmpty ? nil : String(text)
  }
}

extension AddLine {
  /// Reads a line apart from what it says of rings and days off: `15 minutes before`, `except holidays`; nil if it says
  /// nothing of them.
  ///
  /// - Parameter changing: Whether it changes an alarm: it may then say nothing else.
  static func read(
    _ line: String, changing: Bool, in context: ReadingContext
  ) -> (line: AddLine, moments: MomentWords?) {
    let words = line.split(separator: " ").map(String.init)
    let moments = MomentWords(words, as: nil, in: context, isTimeOptional: changing)
    let text = moments.isEmpty ? line : TypedWords.spaced(moments.rest[...])
    return (
      changing ? readEdit(text, in: context) : read(text, in: context), moments.isEmpty ? nil : moments
    )
  }

  /// Reads a line that changes an alarm: a new time with an optional label, or a label alone in quotes. Empty
  /// quotes remove the label.
  static func readEdit(_ line: String, in context: ReadingContext) -> AddLine {
    let text = line.trimmingBlanks[...]
    guard text.isQuoted else { return read(line, in: context) }
    let label = text.unquoted ?? ""
    if let failure = AlarmOptions.failure(ofLabel: label) { return .wrong(failure.message, offset: 0) }
    return .label(label)
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
