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

  /// The most words of a form of several, which the tables join by `_`.
  static let mostWords = (meanings.keys.map { $0.split(separator: "_").count }.max() ?? 1)

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

  /// Words beyond ASCII of at least five letters, likewise.
  private static let foreign =
    meanings.filter { $0.value.contains(where: \.isOfTime) }.keys.filter { $0.count >= 5 && $0.utf8.count > $0.count }
    .sorted().map { Array($0) }

  /// Whether a word, in any case, is a word of time in some language or likely a typo of one. A typo is one
  /// edit (a letter added, missing, changed, or two swapped), or two edits from eight letters on. Words
  /// common in any text (`the`, `to`) do not count.
  static func mayBeTime(_ word: String) -> Bool {
    let lower = word.lowercased()
    if CalendarShorthand.event(lower) != nil { return true }
    if let found = meanings[lower] { return found.contains { !$0.isShared && !$0.isCount && !$0.isShort } }
    let letters = Array(lower.utf8)
    guard letters.count >= 4, letters.allSatisfy(ASCII.isLetter) else {
      let syllables = Array(lower)
      return isForeignTime(lower) || syllables.count >= 5 && foreign.contains { Spelling.distance(syllables, $0) <= 1 }
    }
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
    var before: Set<Meaning.Link> = []
    while let byte = rest.first {
      if ASCII.isDigit(byte) {
        before = [.number]
        rest = rest.dropFirst()
      } else {
        let run = rest.prefix { $0 >= 0x80 }
        guard !run.isEmpty, let pieces = pieces(of: run, behind: before) else { return false }
        isOfTime = isOfTime || pieces.contains { $0.meanings.contains(where: \.isOfTime) }
        before = []
        rest = rest.dropFirst(run.count)
      }
    }
    return isOfTime
  }

  /// The words of a run of letters beyond ASCII, cut where their kinds may meet; nil where it is no run of them. `전화`
  /// is neither `전` nor `화`. `before` are the kinds of the word before the run.
  static func pieces(
    of run: ArraySlice<UInt8>, behind before: Set<Meaning.Link>
  ) -> [(length: Int, meanings: [Meaning])]? {
    var pieces: [(length: Int, meanings: [Meaning])] = []
    var rest = run
    var links: Set<Meaning.Link> = []
    while !rest.isEmpty {
      guard let piece = longestPrefix(of: rest) else { return nil }
      let isWhole = piece.length == run.count
      let found = Set(piece.meanings.map(\.link))
      if pieces.isEmpty {
        // `시간마다`; but `월세` is no month.
        let isLong = piece.length > 3
        links = found.filter { link in
          isWhole || isLong || !link.followsNumber || before.contains { link.follows($0) }
        }
      } else {
        links = found.filter { link in links.contains { link.follows($0) } }
      }
      guard !links.isEmpty else { return nil }
      pieces.append(piece)
      rest = rest.dropFirst(piece.length)
    }
    return pieces
  }

  /// Whether a word says which of several things is meant, before a label as well as behind a time: `monday report`,
  /// `morning run`.
  static func modifies(_ word: String) -> Bool {
    meanings[word.lowercased()]?.contains {
      switch $0 {
      case .weekday, .weekdays, .partOfDay, .partsOfDay, .everyUnit, .everyOtherUnit, .ordinal, .holiday, .month: true
      default: false
      }
    } ?? false
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
    let going: [Meaning] = [.of, .from, .before, .after, .past, .ago, .later, .and, .hourMark, .eachBehind]
    return meanings[word.lowercased()]?.contains { going.contains($0) } ?? false
  }

  /// Whether a word begins or ends a recurring time: `until`.
  static func bounds(_ word: String) -> Bool {
    let bounds: [Meaning] = [.until, .starting, .unread, .from, .for, .during]
    if word.hasSuffix("까지") || word.hasSuffix("부터") { return true }
    return meanings[word.lowercased()]?.contains { bounds.contains($0) } ?? false
  }

  /// Whether a word leads to a day: `next`.
  static func opens(_ word: String) -> Bool {
    meanings[word.lowercased()]?.contains { $0.link == .opener } ?? false
  }

  /// Whether a word is a place of the tables.
  static func isZone(_ word: String) -> Bool {
    meanings[word.lowercased()]?.contains { Meaning.zone($0) != nil } ?? false
  }

  /// Whether a word is a first name too, so that it may end a label: `call tom at 5pm`.
  static func isName(_ word: String) -> Bool { meanings[word.lowercased()]?.contains(.name) ?? false }

  /// Whether a word is one of the vocabulary other than `the` and its like, or begins with one of a language that
  /// writes words together.
  static func begins(_ word: String) -> Bool {
    let lower = word.lowercased()
    if let found = meanings[lower] {
      let others: [Meaning] = [.after, .past, .from]
      return found.contains { !$0.isShared && !$0.isShort || others.contains($0) }
    }
    let letters = Array(lower.utf8)[...]
    guard let first = letters.first, first >= 0x80, let (length, meanings) = longestPrefix(of: letters) else {
      return false
    }
    // Most words begin with some syllable of the vocabulary.
    return length > 3 && meanings.contains(where: \.isOfTime) || pieces(of: letters, behind: []) != nil
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
      .times, .partsOfDay, .someTime, .sameTime, .holiday, .lunar, .lastDay, .onTheHour, .week, .monthFromNow,
      .yearFromNow:
      true
    default: false
    }
  }

  /// Whether its words say nothing about time but beside others of it.
  fileprivate var isShort: Bool {
    switch self {
    case .shortWeekday, .for, .starting, .during, .about, .between, .clockTime, .coming, .zone: true
    default: false
    }
  }

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

  /// What a word may be joined to in a language that writes words together.
  enum Link: Hashable {
    case number, place, unit, mark, tail, weekday, day, part, opener, particle, other

    /// Whether it needs a number before it.
    var followsNumber: Bool { self == .unit || self == .mark || self == .tail }

    func follows(_ link: Link) -> Bool {
      switch (link, self) {
      case (.number, .place), (.number, .unit), (.number, .mark), (.number, .tail): true
      case (.place, .number), (.place, .place), (.place, .unit), (.place, .mark): true
      case (.unit, .number), (.unit, .place), (.mark, .number), (.mark, .place): true
      case (.unit, .tail), (.mark, .tail), (.tail, .tail): true
      case (.weekday, .weekday), (.weekday, .part): true
      case (.day, .part), (.day, .number), (.day, .place), (.part, .number), (.part, .place), (.part, .part): true
      case (.opener, .unit), (.opener, .mark), (.opener, .weekday), (.opener, .number), (.opener, .day): true
      case (.unit, .weekday), (.unit, .day), (.day, .weekday), (.day, .day): true
      case (.place, .particle), (.number, .particle), (.other, _), (.opener, .particle): false
      case (_, .particle): true
      default: false
      }
    }
  }

  var link: Link {
    switch self {
    case .number: .number
    case .place: .place
    case .unit, .one: .unit
    case .dateMark, .hourMark: .mark
    case .later, .ago, .before, .half, .times, .end, .during: .tail
    case .weekday: .weekday
    case .day, .weekdays, .holiday, .week, .monthFromNow, .yearFromNow, .everyUnit, .everyOtherUnit, .lastDay: .day
    case .partOfDay, .meridiem, .time: .part
    case .next, .afterNext, .this, .last, .coming, .every, .ordinal, .lunar: .opener
    case .nothing, .about, .until, .starting, .eachBehind, .to, .and: .particle
    default: .other
    }
  }
}
