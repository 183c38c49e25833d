/// The words of a language. A new language needs only this and its line in ``Lexicon``.
struct Language: Sendable {
  /// Forms of a word in lower case, separated by blanks, with all their meanings.
  typealias Row = (forms: String, meanings: [Meaning])

  let table: [Row]
  /// Likewise, of words that count.
  var series: [[Row]] = []
  /// What only asks for an alarm, before a time or a label: `remind me to`.
  var framesBefore: [Frame] = []
  /// Likewise, before a number only: `set a 10-minute timer`, but not `set a table`.
  var framesBeforeNumbers: [Frame] = []
  /// Likewise behind them: `알려줘`.
  var framesBehind: [Frame] = []
  /// Before one of ``framesBefore``: `could you`.
  var polite: [Frame] = []
  /// Of ``MomentWords``.
  var moments = MomentPhrases()

  /// Words that count up from a number. `/` stands between the forms of one.
  static func counted(
    _ words: String, from first: Int = 1, _ meaning: (Int) -> Meaning, and more: Meaning...
  ) -> [Row] {
    var rows: [Row] = []
    for forms in words.utf8.split(separator: UInt8(ascii: " ")) {
      let bytes = forms.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: " ") : $0 }
      rows.append((String(decoding: bytes, as: UTF8.self), [meaning(first + rows.count)] + more))
    }
    return rows
  }

  static func weekdays(_ words: String, from first: Weekday = .monday) -> [Row] {
    counted(words, from: first.rawValue) { .weekday(Weekday.allCases[$0]) }
  }
}

/// Words that only ask for an alarm, place by place: `remind/tell me to/about/`. At each place stands one of several
/// words; one that ends with `/` may stay empty.
struct Frame: Sendable {
  private let places: String

  init(_ text: String) { places = text }

  /// Whether it is the whole text. The text has no blanks: Koreans write `맞춰 줘` together too.
  func covers(_ text: String) -> Bool { Self.covers(text.utf8[...], places.utf8[...]) }

  private static func covers(_ text: Substring.UTF8View, _ places: Substring.UTF8View) -> Bool {
    guard !places.isEmpty else { return text.isEmpty }
    let place = places.prefix { $0 != UInt8(ascii: " ") }
    let others = places.dropFirst(place.count + 1)
    return place.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).contains {
      text.starts(with: $0) && covers(text.dropFirst($0.count), others)
    }
  }
}

/// What stands around a span or a name of days off, word by word, the longest first.
struct MomentPhrases: Sendable {
  /// Behind a span: `before`.
  var lead: [[String]] = []
  /// Likewise, beside another or before words that only ask for an alarm: `전 알림`.
  var shortLead: [[String]] = []
  /// Before or behind a name: `except`.
  var except: [[String]] = []
  /// Likewise: `only on`.
  var onlyOn: [[String]] = []
  /// A name comes first, a last word may be written together with its phrase, and phrases may stand anywhere.
  var isBehindNames = false
}
