/// The words of all languages that are read.
enum Lexicon {
  static let languages = [Language.english, .korean]

  /// By the word in lower case.
  private static let meanings: [String: [Meaning]] = {
    var found: [String: [Meaning]] = [:]
    for language in languages {
      for row in language.table {
        for form in row.forms.split(separator: " ") {
          found[String(form), default: []] += row.meanings
        }
      }
    }
    return found
  }()

  /// What a word in lower case can mean; empty for one that says nothing about time.
  static func meanings(of word: String) -> [Meaning] { meanings[word] ?? [] }

  /// The longest word beyond ASCII that the bytes begin with; nil where there is none.
  static func longestPrefix(of bytes: ArraySlice<UInt8>) -> (length: Int, meanings: [Meaning])? {
    var length = min(bytes.count, longest)
    while length > 0 {
      let word = String(decoding: bytes.prefix(length), as: UTF8.self)
      if let found = meanings[word] { return (length, found) }
      length -= 1
    }
    return nil
  }

  /// In bytes, of the words beyond ASCII.
  private static let longest =
    meanings.keys.filter { $0.utf8.contains { $0 >= 0x80 } }.map(\.utf8.count).max() ?? 0

  /// The words of time in Latin letters, from five letters on, that a mistyped one is compared with. Numbers and words
  /// such as `later` are left out: too many other words are like them.
  private static let compared =
    (meanings.filter { $0.value.contains(where: \.isOfTime) }.keys + CalendarShorthand.names)
    .filter { $0.utf8.count >= 5 && $0.utf8.allSatisfy(ASCII.isLetter) }.sorted().map { Array($0.utf8) }

  /// Whether a word, in any case, is a word of time in some language, or so like one that it may be a slip: by one edit
  /// (a letter more, less, another, or two that are swapped), from eight letters on by two. Words that time shares with all
  /// else (`the`, `to`) are none.
  static func mayBeTime(_ word: String) -> Bool {
    let lower = word.lowercased()
    if CalendarShorthand.event(lower) != nil { return true }
    if let found = meanings[lower] { return found.contains { !$0.isShared && !$0.isCount } }
    let letters = Array(lower.utf8)
    guard letters.count >= 4, letters.allSatisfy(ASCII.isLetter) else { return isForeignTime(lower) }
    return compared.contains { candidate in
      let limit = candidate.count >= 8 ? 2 : 1
      return abs(candidate.count - letters.count) <= limit && Spelling.distance(letters, candidate) <= limit
    }
  }

  /// Whether a word beyond ASCII is put together of words of time: `내일아침`, `3시에`.
  private static func isForeignTime(_ word: String) -> Bool {
    var rest = Array(word.utf8)[...]
    guard rest.contains(where: { $0 >= 0x80 }) else { return false }
    var isOfTime = false
    while !rest.isEmpty {
      if let byte = rest.first, ASCII.isDigit(byte) {
        rest = rest.dropFirst()
      } else if let (length, meanings) = longestPrefix(of: rest) {
        isOfTime = isOfTime || meanings.contains(where: \.isOfTime)
        rest = rest.dropFirst(length)
      } else {
        return false
      }
    }
    return isOfTime
  }

  /// Whether a word is a number, which may go on with a time right before it: `1 hour thirty`.
  static func isCount(_ word: String) -> Bool {
    meanings[word.lowercased()]?.contains(where: \.isCount) ?? false
  }

  /// Whether a word lets a time go on: `from`, `after`, `at`.
  static func goesOn(_ word: String) -> Bool {
    let going: [Meaning] = [.from, .after, .past, .ago, .later, .at, .on, .and, .hourMark, .eachBehind]
    return meanings[word.lowercased()]?.contains { going.contains($0) } ?? false
  }

  /// Whether a word is shared with all else, and something has to follow it.
  static func joins(_ word: String) -> Bool {
    meanings[word.lowercased()]?.contains(where: \.isShared) ?? false
  }

  /// A word that a mistyped one may have been: one slip in three to five letters, two in longer ones; nil for a word
  /// that is one of them, or like none.
  static func nearest(to word: String) -> String? { Spelling.nearest(to: word, among: candidates) }

  private static let candidates = (meanings.keys + CalendarShorthand.names).filter {
    $0.utf8.count >= 3 && $0.utf8.allSatisfy(ASCII.isLetter)
  }.sorted().map { Array($0.utf8) }
}

extension Meaning {
  /// Whether words that mean it are of time alone, and of five letters hardly anything else.
  fileprivate var isOfTime: Bool {
    switch self {
    case .unread, .unit, .weekday, .weekdays, .month, .day, .partOfDay, .partOfToday, .meridiem, .time,
      .ordinal,
      .everyUnit,
      .everyOtherUnit, .hourMark, .oclock, .dateMark:
      true
    default: false
    }
  }

  /// Whether words that mean it count anything.
  fileprivate var isCount: Bool {
    switch self {
    case .number, .place, .couple: true
    default: false
    }
  }

  /// Whether words that mean it stand in any text.
  fileprivate var isShared: Bool {
    switch self {
    case .one, .and, .in, .at, .on, .of, .the, .from, .to, .after, .past, .nothing: true
    default: false
    }
  }
}
