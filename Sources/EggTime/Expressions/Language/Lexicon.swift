/// The words of all languages.
enum Lexicon {
  static let languages = [Language.english, .korean]

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

  /// `word` is in lower case; empty when it says nothing about time.
  static func meanings(of word: String) -> [Meaning] { meanings[word] ?? [] }

  /// The longest non-ASCII word at the start of the bytes; nil when there is none.
  static func longestPrefix(of bytes: ArraySlice<UInt8>) -> (length: Int, meanings: [Meaning])? {
    var length = min(bytes.count, longest)
    while length > 0 {
      let word = String(decoding: bytes.prefix(length), as: UTF8.self)
      if let found = meanings[word] { return (length, found) }
      length -= 1
    }
    return nil
  }

  /// In bytes, among the words beyond ASCII.
  private static let longest =
    meanings.keys.filter { $0.utf8.contains { $0 >= 0x80 } }.map(\.utf8.count).max() ?? 0

  /// Latin words of time with at least five letters, to compare mistyped words with. Numbers and words such
  /// as `later` are left out: too many other words resemble them.
  private static let compared =
    (meanings.filter { $0.value.contains(where: \.isOfTime) }.keys + CalendarShorthand.names)
    .filter { $0.utf8.count >= 5 && $0.utf8.allSatisfy(ASCII.isLetter) }.sorted().map { Array($0.utf8) }

  /// Whether a word, in any case, is a word of time in some language or likely a typo of one. A typo is one
  /// edit (a letter added, missing, changed, or two swapped), or two edits from eight letters on. Words
  /// common in any text (`the`, `to`) do not count.
  static func mayBeTime(_ word: String) -> Bool {
    let lower = word.lowercased()
    if CalendarShorthand.event(lower) != nil { return true }
    if let found = meanings[lower] { return found.contains { !$0.isShared && !$0.isCount && !$0.isShort } }
    let letters = Array(lower.utf8)
    guard letters.count >= 4, letters.allSatisfy(ASCII.isLetter) else { return isForeignTime(lower) }
    return compared.contains { candidate in
      let limit = candidate.count >= 8 ? 2 : 1
      return abs(candidate.count - letters.count) <= limit && Spelling.distance(letters, candidate) <= limit
    }
  }

  /// Whether a non-ASCII word consists of words of time: `내일아침`, `3시에`.
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

  /// Whether a word is a number, which may continue the time before it: `1 hour thirty`.
  static func isCount(_ word: String) -> Bool {
    meanings[word.lowercased()]?.contains(where: \.isCount) ?? false
  }

  /// Whether a word continues a time, whatever follows: `from`, `after`.
  static func goesOn(_ word: String) -> Bool {
    if word.unicodeScalars.allSatisfy({ "-~+\u{2013}\u{2014}\u{301C}\u{FF5E}".unicodeScalars.contains($0) }) {
      return true
    }
    let going: [Meaning] = [.from, .after, .past, .ago, .later, .and, .hourMark, .eachBehind]
    return meanings[word.lowercased()]?.contains { going.contains($0) } ?? false
  }

  /// Whether a word begins or ends a recurring time: `until`.
  static func bounds(_ word: String) -> Bool {
    let bounds: [Meaning] = [.until, .unread, .from]
    if word.hasSuffix("까지") || word.hasSuffix("부터") { return true }
    return meanings[word.lowercased()]?.contains { bounds.contains($0) } ?? false
  }

  /// Whether the end of a recurring time follows the word.
  static func isUntil(_ word: String) -> Bool {
    guard let found = meanings[word.lowercased()] else { return false }
    return found.contains(.until) && !found.contains(.nothing)
  }

  /// Whether a word is one of the vocabulary other than `the` and its like, or begins with one of a language that
  /// writes words together.
  static func begins(_ word: String) -> Bool {
    let lower = word.lowercased()
    if let found = meanings[lower] {
      let others: [Meaning] = [.after, .past, .from]
      return found.contains { !$0.isShared && !$0.isShort || others.contains($0) }
    }
    guard let first = lower.utf8.first, first >= 0x80 else { return false }
    return longestPrefix(of: Array(lower.utf8)[...]) != nil
  }

  /// The words without those at the start or the end that only ask for an alarm.
  static func withoutFrame(_ words: [String]) -> [String] {
    let lower = words.map { $0.lowercased() }
    for language in languages {
      for frame in language.framesBefore where words.count > frame.count && lower.starts(with: frame) {
        // `alarm 7am`, but not `alarm test 7am`
        let next = lower[frame.count]
        let isTime = mayBeTime(next) || joins(next) || next.utf8.first.map(ASCII.isDigit) ?? false
        if frame.count > 1 || isTime { return Array(words.dropFirst(frame.count)) }
      }
      for frame in language.framesBehind
      where words.count > frame.count && lower.suffix(frame.count) == frame[...] {
        return Array(words.dropLast(frame.count))
      }
    }
    return words
  }

  /// Whether a word leads from the time to the label: `remind me at 5pm to call mom`.
  static func isFrameEnd(_ word: String) -> Bool { meanings[word.lowercased()]?.contains(.to) ?? false }

  /// Whether a word is common in any text and needs another after it.
  static func joins(_ word: String) -> Bool {
    meanings[word.lowercased()]?.contains(where: \.isShared) ?? false
  }

  /// The likely correction: one edit in three to five letters, two in longer words. nil for a known word and
  /// for one unlike any.
  static func nearest(to word: String) -> String? { Spelling.nearest(to: word, among: candidates) }

  private static let candidates = (meanings.keys + CalendarShorthand.names).filter {
    $0.utf8.count >= 3 && $0.utf8.allSatisfy(ASCII.isLetter)
  }.sorted().map { Array($0.utf8) }
}

extension Meaning {
  /// Whether its words are only about time.
  fileprivate var isOfTime: Bool {
    switch self {
    case .unread, .unit, .weekday, .weekdays, .month, .day, .partOfDay, .partOfToday, .meridiem, .time,
      .ordinal, .everyUnit, .everyOtherUnit, .hourMark, .oclock, .dateMark, .every, .eachBehind, .until,
      .times,
      .partsOfDay, .someTime, .week, .monthFromNow, .yearFromNow:
      true
    default: false
    }
  }

  /// Whether its words say nothing about time but in a range of weekdays.
  fileprivate var isShort: Bool { if case .shortWeekday = self { true } else { false } }

  /// Whether its words count anything.
  fileprivate var isCount: Bool {
    switch self {
    case .number, .place, .couple: true
    default: false
    }
  }

  /// Whether its words are common in any text.
  fileprivate var isShared: Bool {
    switch self {
    case .one, .and, .in, .at, .on, .of, .the, .from, .to, .after, .past, .nothing: true
    default: false
    }
  }
}
