enum Lexicon {
  static let languages = languagesInASCII + languagesBeyondASCII
  private static let languagesInASCII = [Language.english]
  /// Each of their words has a letter beyond ASCII: most texts are not compared with them.
  static let languagesBeyondASCII = [Language.korean]

  /// Those whose words may be in a text.
  static func languages(isASCII: Bool) -> [Language] { isASCII ? languagesInASCII : languages }

  /// Of `2nd`, `2번째`.
  static let ordinalSuffixes = ["st", "nd", "rd", "th", "번째", "째"]

  /// The words of some languages.
  private struct Words {
    private(set) var meanings: [String: [Meaning]] = [:]
    /// The most words of a form of several, which the tables join by `_`.
    private(set) var most = 1

    init(of languages: [Language]) {
      meanings.reserveCapacity(1024)
      for row in languages.flatMap({ $0.series.reduce($0.table, +) }) {
        for form in Array(row.forms.utf8).split(separator: UInt8(ascii: " ")) {
          add(form, row.meanings)
          // People leave out apostrophes, and Koreans blanks: `valentines day`, `내일모레`.
          let mark = UInt8(ascii: form[form.startIndex] < 0x80 ? "'" : "_")
          if form.contains(mark) { add(form.filter { $0 != mark }[...], row.meanings) }
        }
      }
    }

    private mutating func add(_ form: ArraySlice<UInt8>, _ new: [Meaning]) {
      let word = String(decoding: form, as: UTF8.self)
      if let others = meanings.updateValue(new, forKey: word) { meanings[word] = others + new }
      most = max(most, form.count { $0 == UInt8(ascii: "_") } + 1)
    }
  }

  private static let words = Words(of: languagesInASCII)
  private static let wordsBeyondASCII = Words(of: languagesBeyondASCII)
  private static let all = words.meanings.merging(wordsBeyondASCII.meanings) { $0 + $1 }

  /// In lower case; nil for a word that is in no table, and empty for one that says nothing about time: `네일`.
  static func found(_ word: String) -> [Meaning]? {
    let found = ASCII.isAll(word) ? nil : wordsBeyondASCII.meanings[word]
    return found ?? words.meanings[word]
  }

  /// `word` is in lower case; empty when it says nothing about time.
  static func meanings(of word: String) -> [Meaning] { found(word) ?? [] }

  /// The most words of one form in such a text.
  static func mostWords(isASCII: Bool) -> Int {
    isASCII ? words.most : max(words.most, wordsBeyondASCII.most)
  }

  /// The longest non-ASCII word at the start of the bytes; nil when there is none.
  /// After another word also one that the tables write with a hyphen before it.
  static func longestPrefix(
    of bytes: ArraySlice<UInt8>, isBehind: Bool = false
  ) -> (length: Int, meanings: [Meaning])? {
    var length = min(bytes.count, longest)
    while length > 0 {
      let word = String(decoding: bytes.prefix(length), as: UTF8.self)
      if let found = found(word) ?? (isBehind ? found("-" + word) : nil) { return (length, found) }
      length -= 1
    }
    return nil
  }

  /// The first letters of units, ordinals and halves of the day.
  static let lettersBehindNumbers = Set(
    all.filter {
      $0.value.contains { $0.unit != nil || $0.meridiem != nil || $0 == .oclock }
    }
    .keys.compactMap(\.utf8.first) + ordinalSuffixes.compactMap(\.utf8.first))

  /// In bytes, among the words beyond ASCII.
  private static let longest =
    all.keys.filter { $0.utf8.contains { $0 >= 0x80 } }.map(\.utf8.count).max() ?? 0

  /// Latin words of time with at least five letters, to compare mistyped words with. Numbers and words such
  /// as `later` are left out: too many other words resemble them.
  private static let compared =
    (words.meanings.filter { $0.value.contains(where: \.isOfTime) }.keys + CalendarShorthand.names)
    .filter { $0.utf8.count >= 5 && $0.utf8.allSatisfy(ASCII.isLetter) }.sorted().map { Array($0.utf8) }

  /// Words of Hangul of at least seven letters, likewise.
  private static let foreign = wordsBeyondASCII.meanings.filter { $0.value.contains(where: \.isOfTime) }.keys
    .sorted()
    .map { (word: $0, letters: hangul($0)) }.filter { $0.letters.count >= 7 }

  /// The letters of the syllables of a word of Hangul: `금` is ㄱ, ㅡ and ㅁ. Empty for other words.
  private static func hangul(_ word: String) -> [UInt8] {
    var letters: [UInt8] = []
    for scalar in word.unicodeScalars {
      guard (0xAC00...0xD7A3).contains(scalar.value) else { return [] }
      let syllable = scalar.value - 0xAC00
      letters += [UInt8(syllable / 588), UInt8(32 + syllable % 588 / 28)]
      if syllable % 28 > 0 { letters.append(UInt8(64 + syllable % 28)) }
    }
    return letters
  }

  /// Whether a word, in any case, is a word of time in some language or likely a typo of one. A typo is one
  /// edit (a letter added, missing, changed, or two swapped), or two edits from eight letters on. Words
  /// common in any text (`the`, `to`) do not count.
  static func mayBeTime(_ word: String) -> Bool {
    let lower = word.lowercased()
    if CalendarShorthand.event(lower) != nil { return true }
    if let found = found(lower) { return found.contains { !$0.isShared && !$0.isCount && !$0.isShort } }
    let letters = Array(lower.utf8)
    guard letters.count >= 4, letters.allSatisfy(ASCII.isLetter) else {
      return isForeignTime(lower) || nearestOfHangul(to: lower) != nil
    }
    return compared.contains { Spelling.areWithin($0.count >= 8 ? 2 : 1, letters[...], $0[...]) }
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
        if pieces.last?.meanings.contains(.topic) ?? false { return false }
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
      let behind = rest.dropFirst(piece.length)
      links = Set(piece.meanings.map(\.link)).filter { link in
        // `시간 뒤` and `달마다` may begin a run, but `월세` is no month and `토의` no Saturday.
        let isFree =
          isLong || !link.needsBefore || longestPrefix(of: behind)?.meanings.contains(.eachBehind) ?? false
        return pieces.isEmpty && isFree || links.contains { link.follows($0) }
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
      rest = behind
    }
    // Nothing but a number ends with one.
    let isNumber = pieces.allSatisfy { $0.meanings.contains { $0.link.isNumber } }
    return isNumber || links.contains { !$0.isNumber && $0 != .opener } ? pieces : nil
  }

  /// Whether a word is a number, which may continue the time before it: `1 hour thirty`.
  static func isCount(_ word: String) -> Bool {
    found(word.lowercased())?.contains(where: \.isCount) ?? false
  }

  /// Whether a word is common in any text and needs another after it.
  static func joins(_ word: String) -> Bool {
    found(word.lowercased())?.contains(where: \.isShared) ?? false
  }

  /// Whether a time behind that word may be a part of a label: `book table for 8pm`.
  static func introduces(_ word: String) -> Bool { joins(word) || means(word, .for) }

  /// The likely correction: one edit in three to five letters, two in longer words. nil for a known word and
  /// for one unlike any.
  static func nearest(to word: String) -> String? {
    nearestOfHangul(to: word) ?? Spelling.nearest(to: word, among: candidates)
  }

  private static func nearestOfHangul(to word: String) -> String? {
    let letters = hangul(word)
    guard letters.count >= 7 else { return nil }
    return foreign.first { $0.word != word && Spelling.areWithin(1, letters[...], $0.letters[...]) }?.word
  }

  /// Of three letters only days and months: `mom` is not `eom`.
  private static let candidates = (words.meanings.keys + CalendarShorthand.names).filter { word in
    let isDate = found(word)?.contains { $0.weekday != nil || $0.month != nil } ?? false
    return word.utf8.count >= (isDate ? 3 : 4) && word.utf8.allSatisfy(ASCII.isLetter)
  }.sorted().map { Array($0.utf8) }
}

extension Meaning {
  /// Whether its words are only about time.
  var isOfTime: Bool {
    switch self {
    case .unread, .except, .or, .unit, .weekday, .weekdays, .month, .day, .partOfDay, .partOfToday, .meridiem,
      .time,
      .ordinal, .everyUnit, .everyOtherUnit, .hourMark, .oclock, .dateMark, .every, .eachBehind, .until,
      .times, .once, .partsOfDay, .someTime, .sameTime, .holiday, .lunar, .lastDay, .onTheHour, .week,
      .monthFromNow,
      .yearFromNow:
      true
    default: false
    }
  }

  /// Whether its words say nothing about time but beside others of it.
  var isShort: Bool {
    switch self {
    case .shortWeekday, .for, .during, .between, .clockTime, .coming, .zone, .more, .few, .timer, .allDay,
      .told, .with, .ending, .onlyOn, .workday:
      true
    default: false
    }
  }

  /// Whether its words count anything.
  var isCount: Bool {
    switch self {
    case .number, .place, .couple, .few: true
    default: false
    }
  }

  /// Whether its words are common in any text.
  var isShared: Bool {
    switch self {
    case .one, .and, .in, .at, .on, .of, .the, .from, .to, .toTheHour, .after, .past, .about, .around,
      .nothing:
      true
    default: false
    }
  }
}
