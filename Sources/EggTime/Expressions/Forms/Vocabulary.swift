/// The words in phrases of at(1) and GNU date, lower case. ``Lexicon`` holds everything else that people
/// type.
enum Vocabulary {
  static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  private static let weekdays = Weekday.allCases.map(\.name)

  private static let others = [
    "now", "today", "tomorrow", "yesterday", "noon", "midnight", "teatime", "next", "this", "ago", "left",
    "am",
    "pm",
  ]

  private static let unitWords = [
    "seconds", "second", "minutes", "minute", "hours", "hour", "days", "day", "weeks", "week", "months",
    "month",
    "years", "year",
  ]

  static func weekday(_ word: String) -> Weekday? {
    position(of: word, in: weekdays).map { Weekday.allCases[$0] }
  }

  /// 1 to 12.
  static func month(_ word: String) -> Int? {
    word == "sept" ? 9 : position(of: word, in: months).map { $0 + 1 }
  }

  static func relativeDate(_ word: String) -> DateForm? {
    switch word {
    case "today": .relative(days: 0)
    case "tomorrow": .relative(days: 1)
    case "yesterday": .relative(days: -1)
    default: nil
    }
  }

  static func time(_ word: String) -> TimeOfDay? {
    switch word {
    case "noon": TimeOfDay(hour: 12, minute: 0)
    case "midnight": .midnight
    case "teatime": TimeOfDay(hour: 16, minute: 0)
    default: nil
    }
  }

  /// Whether a word has its own meaning, so that it is no zone.
  static func isReserved(_ word: String) -> Bool {
    others.contains(word) || weekday(word) != nil || month(word) != nil
  }

  private static func position(of word: String, in names: [String]) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    return names.firstIndex { $0 == word || (word.utf8.count == 3 && $0.hasPrefix(word)) }
  }

  private static let candidates = (others + weekdays + months + unitWords + CalendarShorthand.names).map {
    Array($0.utf8)
  }

  /// The likely correction of a word; nil for a known word and for one unlike any.
  static func nearest(to word: String) -> String? { Spelling.nearest(to: word, among: candidates) }
}
