/// What a word says where a time and a label meet.
extension Lexicon {
  /// Whether a word says which of several things is meant, before a label as well as behind a time: `monday report`,
  /// `morning run`.
  static func modifies(_ word: String) -> Bool {
    meanings(of: word.lowercased()).contains {
      switch $0 {
      case .weekday, .weekdays, .partOfDay, .partsOfDay, .everyUnit, .everyOtherUnit, .ordinal, .holiday,
        .month, .more:
        true
      default: false
      }
    }
  }

  static func means(_ word: String, _ meaning: Meaning) -> Bool {
    meanings(of: word.lowercased()).contains(meaning)
  }

  /// Whether a word has a meaning of a kind.
  static func means<Value>(_ word: String, _ pick: (Meaning) -> Value?) -> Bool {
    meanings(of: word.lowercased()).contains { pick($0) != nil }
  }

  /// Whether a word continues a time, whatever follows: `from`, `after`.
  static func goesOn(_ word: String) -> Bool {
    if word.unicodeScalars.allSatisfy({ "-~+\u{2013}\u{2014}\u{301C}\u{FF5E}".unicodeScalars.contains($0) }) {
      return true
    }
    let going: [Meaning] = [.of, .from, .before, .after, .past, .ago, .later, .and, .hourMark, .eachBehind]
    return meanings(of: word.lowercased()).contains { going.contains($0) }
  }

  /// `5k`, `302호`: a number with letters that begin no word which may stand behind a number.
  static func isNumberedName(_ word: String) -> Bool {
    let name = word.drop { $0.isASCII && $0.isNumber }.lowercased()
    guard name.count < word.count, let first = name.utf8.first, name.allSatisfy(\.isLetter) else {
      return false
    }
    guard ASCII.isLetter(first) else { return longestPrefix(of: Array(name.utf8)[...]) == nil }
    return !lettersBehindNumbers.contains(first)
  }

  /// Whether a text may end with a time where a name follows without a blank: `3시` before `회의`, but neither before
  /// `간전시회` nor before `반회의`. A particle ends it only before what asks for an alarm: `3시에깨워줘`, but not `3시에어컨`.
  static func mayEnd(_ time: String, before name: String) -> Bool {
    guard time.count > 1, let last = time.last, let first = name.first, !first.isASCII, first.isLetter,
      meanings(of: "\(last)\(first)").isEmpty
    else { return false }
    func ends(_ time: Substring, with kinds: [Meaning]) -> Bool {
      (1...3).contains { count in meanings(of: String(time.suffix(count))).contains { kinds.contains($0) } }
    }
    let isFrame = count(of: \.framesBehind, in: [name]) > 0
    guard
      ends(time[...], with: [.hourMark, .unit(.minute), .later, .eachBehind])
        || isFrame && meanings(of: String(last)) == [.nothing]
          && ends(time.dropLast(), with: [.hourMark, .unit(.minute), .half, .later])
    else { return false }
    let next = longestPrefix(of: Array(name.utf8)[...], isBehind: true)?.meanings.map(\.link) ?? []
    return !next.contains { $0.follows(.mark) || $0.follows(.unit) || $0.follows(.tail) }
  }

  /// `10분뒤`
  static func endsLater(_ time: String) -> Bool {
    (1...3).contains { means(String(time.suffix($0)), .later) }
  }

  /// Whether a word is half an hour behind a text that ends with the hour: `반부터` behind `2시`, but not `반전`.
  static func isHalf(_ word: String, behind text: String) -> Bool {
    let letters = Array(word.utf8)
    guard text.last.map({ means(String($0), .hourMark) }) ?? false, word.count > 2,
      longestPrefix(of: letters[...])?.meanings.contains(.half) ?? false
    else { return false }
    return pieces(of: letters[...], behind: [.mark], isGlued: false) != nil
  }

  /// Whether a form of several words begins before a place among the words and ends behind `end`.
  static func isForm(in words: [String], before place: Int, endingBehind end: Int = 0) -> Bool {
    let most = mostWords(isASCII: words.allSatisfy { ASCII.isAll($0) })
    return (0..<place).contains { first in
      (first + 2..<first + most + 1).contains {
        guard $0 > end, $0 <= words.count else { return false }
        let found = meanings(of: TypedWords.spaced(words[first..<$0], by: "_").lowercased())
        // `all day meeting`
        return found.contains { end > 0 || !$0.isShort }
      }
    }
  }

  /// Whether a word leads to a day: `next`.
  static func opens(_ word: String) -> Bool {
    meanings(of: word.lowercased()).contains { $0.link == .opener }
  }

  /// Whether a word is one of the vocabulary other than `the` and its like, or begins with one of a language that
  /// writes words together.
  static func begins(_ word: String) -> Bool {
    let lower = word.lowercased()
    if let found = found(lower) {
      let others: [Meaning] = [.after, .past, .from]
      return found.contains { !$0.isShared && !$0.isShort || others.contains($0) }
    }
    let letters = Array(lower.utf8)[...]
    guard let first = letters.first, first >= 0x80, let (length, known) = longestPrefix(of: letters) else {
      return false
    }
    // Most words begin with some syllable of the vocabulary.
    return length > 3 && known.contains(where: \.isOfTime)
      || pieces(of: letters, behind: [], isGlued: false) != nil
  }

  /// Whether the words begin with some that only ask for an alarm: `wake me up`.
  static func beginsFrame(_ words: ArraySlice<String>) -> Bool { count(of: \.framesBefore, in: words) > 1 }

  /// The words without those at the start or the end that only ask for an alarm.
  static func withoutFrame(_ words: [String]) -> [String] {
    let rest = withoutFrameBefore(words)
    let frame = count(of: \.framesBehind, in: rest.dropFirst(), atEnd: true)
    // `혹시 7시에 깨워줄래?`
    let polite = frame > 0 ? min(count(of: \.polite, in: rest[...]), rest.count - frame - 1) : 0
    return Array(rest.dropFirst(polite).dropLast(frame))
  }

  /// The words without a frame of several words at their end: `remind me`.
  static func withoutFrameAtEnd(_ words: [String]) -> [String] {
    let frame = count(of: \.framesBefore, in: words.dropFirst(), atEnd: true)
    return frame > 1 ? words.dropLast(frame) : words
  }

  private static func withoutFrameBefore(_ words: [String]) -> [String] {
    let others = words.dropLast()
    let polite = count(of: \.polite, in: others)
    if polite > 0 {
      let rest = Array(words.dropFirst(polite))
      let bare = withoutFrameBefore(rest)
      return bare.count < rest.count ? bare : words
    }
    let startsNumber = { (place: Int) in
      words[place].utf8.first.map(ASCII.isDigit) ?? false
        // `ten minutes`
        || place + 1 < words.count && means(words[place], \.number) && means(words[place + 1], \.unit)
    }
    let frame = count(of: \.framesBefore, in: others)
    // `alarm 7am`, but not `alarm test 7am`
    if frame > 1 || frame == 1 && (mayBeTime(words[1]) || joins(words[1]) || startsNumber(1)) {
      return Array(words.dropFirst(frame))
    }
    let start = count(of: \.framesBeforeNumbers, in: others)
    return start > 0 && startsNumber(start) ? Array(words.dropFirst(start)) : words
  }

  /// How many words at the start only ask for an alarm: `알려줘`.
  static func frameLength(at words: ArraySlice<String>) -> Int { count(of: \.framesBehind, in: words) }

  /// `please`
  static func isPolite(_ word: String) -> Bool {
    count(of: \.framesBehind, in: [word]) > 0 && count(of: \.polite, in: [word]) > 0
  }

  /// How many words at the start, or the end, are a frame; the most that are, and 0 for none.
  private static func count(
    of frames: KeyPath<Language, [Frame]>, in words: ArraySlice<String>, atEnd: Bool = false
  ) -> Int {
    (1...5).last { count in
      guard count <= words.count else { return false }
      let text = (atEnd ? words.suffix(count) : words.prefix(count))
        .reduce(into: "") { $0 += $1.last.map(",.!?".contains) ?? false ? $1.dropLast() : $1[...] }
        .lowercased()
      return languages(isASCII: ASCII.isAll(text)).contains {
        $0[keyPath: frames].contains { $0.covers(text) }
      }
    } ?? 0
  }
}
