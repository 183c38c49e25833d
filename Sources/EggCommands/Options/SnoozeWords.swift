import EggProtocol
import EggTime
import Gettext

/// How long a snooze lasts, as it is typed.
enum SnoozeWords: Equatable {
  case span(TimeSpan)
  /// An expression that names one moment.
  case until(String)

  /// `10m`, `tomorrow 9am`, `until tomorrow 9am`; nil for what is neither.
  init?(_ text: String, in context: ReadingContext) {
    if let span = try? TimeExpression.span(text, in: context) {
      self = .span(span)
      return
    }
    let moment = Self.moment(text) ?? text
    guard let time = try? TimeExpression.read(moment, in: context), time.kind != .calendar,
      (try? time.instant(in: context)) != nil
    else { return nil }
    self = .until(moment)
  }

  /// What stands behind `until`; nil without that.
  static func moment(_ text: String) -> String? {
    let words = text.split(separator: " ", maxSplits: 1)
    guard let first = words.first?.lowercased(), ["until", "till"].contains(first) else { return nil }
    return words.count > 1 ? String(words[1]) : ""
  }

  func call(_ selection: WireSelection, zone: @autoclosure () throws -> String?) rethrows -> SnoozeCall {
    switch self {
    case .span(let span): SnoozeCall(selection, span: span)
    case .until(let text): SnoozeCall(selection, until: text, zone: try zone())
    }
  }
}

extension Surroundings {
  /// Throws for what is neither a span nor a moment.
  func snooze(reading text: String) throws -> SnoozeWords {
    let context = try readingContext()
    if let words = SnoozeWords(text, in: context) {
      let span =
        switch words {
        case .span(let span): span
        case .until(let text):
          try expression(reading: text, as: nil, in: context).instant(in: context) - context.now
        }
      guard SnoozeCall.spans.contains(span) else {
        throw Failure(.usage, tr("a snooze must last between 1 second and 366 days"))
      }
      return words
    }
    guard let moment = SnoozeWords.moment(text) else {
      // `tomorrow at 3`
      if let error = TimeExpression.refusal(of: text, in: context),
        case .unreadable(_, let reason, _) = error, reason != .unexpected, error.nearest != nil
      {
        throw Failure(error, of: text)
      }
      return .span(try span(reading: text))
    }
    guard !moment.isEmpty else {
      throw Failure(.usage, tr("until when?"), hint: "eggctl snooze until tomorrow 9:00")
    }
    let isHour = moment.utf8.count <= 2 && moment.allSatisfy(\.isNumber)
    let time = try expression(reading: isHour ? "at " + moment : moment, as: nil, in: context)
    guard time.kind != .calendar else {
      throw Failure(.usage, tr("'\(moment.visible)' is not a moment"))
    }
    throw Failure(.usage, tr("'\(moment.visible)' is in the past"))
  }
}
