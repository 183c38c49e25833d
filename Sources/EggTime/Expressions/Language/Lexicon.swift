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

  /// The most words of the forms of several, which the tables join by `_`, by their first word.
  static let mostWords: [String: Int] = meanings.keys.reduce(into: [:]) { most, form in
    let words = form.split(separator: "_")
    guard words.count > 1, let first = words.first.map(String.init) else { return }
    most[first] = max(most[first] ?? 0, words.count)
  }

  /// The longest non-ASCII word at the start of the bytes; nil when there is none.
  /// After another word also one that the tables write with a hyphen before it.
  static func longestPrefix(
    of bytes: ArraySlice<UInt8>, isBehind: Bool = false
  ) -> (length: Int, meanings: [Meaning])? {
    var length = min(bytes.count, longest)
    while length > 0 {
      let word = String(decoding: bytes.prefix(length), as: UTF8.self)
      if let found = meanings[word] ?? (isBehind ? meanings["-" + word] : nil) { return (length, found) }
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
    meanings.filter { $0.value.contains(where: \.isOfTime) }.keys.filter {
      $0.count >= 5 && $0.utf8.count > $0.count
    }
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
      return isForeignTime(lower)
        || syllables.count >= 5
          && foreign.contains {
            abs($0.count - syllables.count) <= 1 && Spelling.distance(syllables, $0) <= 1
          }
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
        guard !run.isEmpty, let pieces = pieces(of: run, behind: before, isGlued: !before.isEmpty) else {
          return false
        }
        isOfTime = isOfTime || pieces.contains { $0.meanings.contains(where: \.isOfTime) }
        before = []
        rest = rest.dropFirst(run.count)
      }
    }
    return isOfTime
  }

  /// The words of a run of letters beyond ASCII, cut where their kinds may meet; nil where it is no run of them. `전화`
  /// is neither `전` nor `화`. `before` are the kinds of the word before the run, to
  /// which it is glued or not.
  static func pieces(
    of run: ArraySlice<UInt8>, behind before: Set<Meaning.Link>, isGlued: Bool
  ) -> [(length: Int, meanings: [Meaning])]? {
    var pieces: [(length: Int, meanings: [Meaning])] = []
    var rest = run
    var links = before
    // A single syllable that needs no word before it.
    var isFirstFree = false
    while !rest.isEmpty {
      guard let piece = longestPrefix(of: rest, isBehind: isGlued || !pieces.isEmpty) else { return nil }
      if piece.length == run.count { return [piece] }
      let isLong = piece.length > 3
      links = Set(piece.meanings.map(\.link)).filter { link in
        // `시간마다` may begin a run, but `월세` is no month and `토의` no Saturday.
        let isFree = pieces.isEmpty ? isLong || !link.needsBefore : false
        return isFree || links.contains { link.follows($0) }
      }
      if !isGlued, pieces.isEmpty || pieces.count == 1 && isFirstFree { links.remove(.particle) }
      guard !links.isEmpty else { return nil }
      // `첫날` and `첫화` are words of their own.
      if pieces.isEmpty, !isLong, links == [.ordinal] { return nil }
      if pieces.isEmpty {
        let isHalf = links.contains(.half) && before.contains { Meaning.Link.half.follows($0) }
        isFirstFree = !isLong && !isHalf && !links.contains(where: \.needsBefore)
      }
      pieces.append(piece)
      rest = rest.dropFirst(piece.length)
    }
    // Nothing but a number ends with one.
    let isNumber = pieces.allSatisfy { $0.meanings.contains { $0.link.isNumber } }
    return isNumber || links.contains { !$0.isNumber && $0 != .opener } ? pieces : nil
  }

  /// Whether a word says which of several things is meant, before a label as well as behind a time: `monday report`,
  /// `morning run`.
  static func modifies(_ word: String) -> Bool {
    meanings[word.lowercased()]?.contains {
      switch $0 {
      case .weekday, .weekdays, .partOfDay, .partsOfDay, .everyUnit, .everyOtherUnit, .ordinal, .holiday,
        .month:
        true
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

  /// Whether a form of several words stands on both sides of a place among the words.
  static func isForm(in words: [String], across place: Int) -> Bool {
    (0..<place).contains { first in
      guard let most = mostWords[words[first].lowercased()], first + most > place else { return false }
      return (place + 1...min(words.count, first + most)).contains { end in
        meanings[words[first..<end].joined(separator: "_").lowercased()] != nil
      }
    }
  }

  /// Whether a time of day follows the word.
  static func isAt(_ word: String) -> Bool { meanings[word.lowercased()]?.contains(.at) ?? false }

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
    return length > 3 && meanings.contains(where: \.isOfTime)
      || pieces(of: letters, behind: [], isGlued: false) != nil
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
    case .shortWeekday, .for, .starting, .during, .between, .clockTime, .coming, .zone: true
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
    case .one, .and, .in, .at, .on, .of, .the, .from, .to, .after, .past, .about, .nothing: true
    default: false
    }
  }

  /// What a word may be joined to in a language that writes words together.
  enum Link: Hashable {
    case number, place, unit, mark, counter, half, tail, approximation, weekday, day, part, ordinal, opener,
      particle, other

    var isNumber: Bool { self == .number || self == .place }

    /// Whether it begins no run of words.
    var needsBefore: Bool {
      switch self {
      case .unit, .mark, .counter, .tail, .approximation, .particle: true
      default: false
      }
    }

    func follows(_ link: Link) -> Bool {
      switch (link, self) {
      case (.number, .place), (.number, .unit), (.number, .mark), (.number, .counter): true
      case (.place, .number), (.place, .place), (.place, .unit), (.place, .mark): true
      case (.unit, .number), (.unit, .place), (.mark, .number), (.mark, .place): true
      case (.unit, .tail), (.mark, .tail), (.tail, .tail), (.half, .tail), (.approximation, .tail): true
      case (.unit, .half), (.mark, .half), (.half, .unit), (.half, .approximation): true
      case (.unit, .approximation), (.mark, .approximation), (.tail, .approximation), (.part, .approximation):
        true
      case (.weekday, .weekday), (.weekday, .part): true
      case (.day, .part), (.day, .number), (.day, .place), (.part, .number), (.part, .place), (.part, .part):
        true
      case (.opener, .unit), (.opener, .mark), (.opener, .weekday), (.opener, .day), (.ordinal, .unit),
        (.ordinal, .weekday):
        true
      case (.unit, .weekday), (.unit, .day), (.day, .weekday), (.day, .day): true
      case (.number, .particle), (.place, .particle), (.opener, .particle), (.other, _): false
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
    case .times: .counter
    case .half: .half
    case .later, .ago, .before, .end, .during: .tail
    case .weekday: .weekday
    case .day, .weekdays, .holiday, .week, .monthFromNow, .yearFromNow, .everyUnit, .everyOtherUnit, .lastDay:
      .day
    case .partOfDay, .meridiem, .time: .part
    case .next, .afterNext, .this, .last, .coming, .lunar: .opener
    case .ordinal: .ordinal
    case .about: .approximation
    case .nothing, .until, .starting, .eachBehind, .to, .and: .particle
    default: .other
    }
  }
}
