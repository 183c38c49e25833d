/// The place among the tokens, and what may be taken from there.
extension SentenceReader {
  var token: Token? { index < tokens.count ? tokens[index] : nil }

  func token(ahead: Int) -> Token? { index + ahead < tokens.count ? tokens[index + ahead] : nil }

  /// The misread for a text that no sentence continues like this.
  var stop: Misread {
    guard let token else { return Misread(offset: text.end, reason: .incomplete) }
    return Misread(offset: token.start, reason: .unexpected)
  }

  /// The byte at which a token begins; the end of the text after the last.
  func start(of token: Int) -> Int { token < tokens.count ? tokens[token].start : text.end }

  /// The bytes from a token up to the next one.
  func range(from first: Int) -> Range<Int> {
    guard first < index else { return text.end..<text.end }
    return start(of: first)..<tokens[index - 1].end
  }

  func part<Value>(_ value: Value, from first: Int) -> Sentence.Part<Value> {
    Sentence.Part(value: value, range: range(from: first))
  }

  func means(_ meaning: Meaning, ahead: Int = 0) -> Bool {
    token(ahead: ahead)?.meanings.contains(meaning) ?? false
  }

  mutating func takes(_ meaning: Meaning) -> Bool {
    guard means(meaning) else { return false }
    index += 1
    return true
  }

  /// Before a time or a span.
  mutating func takesAbout() -> Bool { takes(.around) || takes(.about) }

  mutating func takes(_ mark: Token.Mark) -> Bool {
    guard token?.isMark(mark) == true else { return false }
    index += 1
    return true
  }

  /// Returns to a token, as what was tried is not next.
  mutating func back<Value>(to place: Int) -> Value? {
    index = place
    return nil
  }

  mutating func back(to place: Int) -> Bool {
    index = place
    return false
  }

  /// Takes the next word if one of its meanings is picked.
  mutating func take<Value>(_ pick: (Meaning) -> Value?) -> Value? {
    guard let found = peek(pick) else { return nil }
    index += 1
    return found
  }

  func peek<Value>(ahead: Int = 0, _ pick: (Meaning) -> Value?) -> Value? {
    guard let token = token(ahead: ahead) else { return nil }
    for meaning in token.meanings {
      if let value = pick(meaning) { return value }
    }
    return nil
  }

  /// How many words stand before the part of the day that is next: 2 in `in the evening`. nil where none is next.
  var partOfDayAhead: Int? {
    let ahead = means(.this) || means(.at) ? 1 : means(.in) ? means(.the, ahead: 1) ? 2 : 1 : 0
    let part = peek(ahead: ahead, \.partOfDay) ?? peek(ahead: ahead, \.partOfToday)
    return part != nil || ahead > 0 && peek(ahead: ahead, \.meridiem) != nil ? ahead : nil
  }
}

/// What a meaning names, for ``SentenceReader/take(_:)``; nil for a meaning of another kind.
extension Meaning {
  var unit: PersonUnit? { if case .unit(let value) = self { value } else { nil } }
  var weekday: Weekday? { if case .weekday(let value) = self { value } else { nil } }
  var shortWeekday: Weekday? { if case .shortWeekday(let value) = self { value } else { nil } }
  var partsOfDay: PartOfDay? { if case .partsOfDay(let value) = self { value } else { nil } }
  var someTime: [String]? { if case .someTime(let value) = self { value } else { nil } }
  var weekAhead: Int? { if case .week(let value) = self { value } else { nil } }
  var monthFromNow: Int? { if case .monthFromNow(let value) = self { value } else { nil } }
  var yearFromNow: Int? { if case .yearFromNow(let value) = self { value } else { nil } }
  var weekdays: UInt8? { if case .weekdays(let value) = self { value } else { nil } }
  var month: Int? { if case .month(let value) = self { value } else { nil } }
  var day: Int? { if case .day(let value) = self { value } else { nil } }
  var ordinal: Int? { if case .ordinal(let value) = self { value } else { nil } }
  var number: Int? { if case .number(let value) = self { value } else { nil } }
  var place: Int? { if case .place(let value) = self { value } else { nil } }
  var partOfDay: PartOfDay? { if case .partOfDay(let value) = self { value } else { nil } }
  var partOfToday: PartOfDay? { if case .partOfToday(let value) = self { value } else { nil } }
  var holiday: Holiday? { if case .holiday(let value) = self { value } else { nil } }
  var zone: String? { if case .zone(let value) = self { value } else { nil } }
  var meridiem: Bool? { if case .meridiem(let value) = self { value } else { nil } }
  var time: TimeOfDay? { if case .time(let value) = self { value } else { nil } }
  var everyUnit: PersonUnit? { if case .everyUnit(let value) = self { value } else { nil } }
  var everyOtherUnit: PersonUnit? { if case .everyOtherUnit(let value) = self { value } else { nil } }
}
