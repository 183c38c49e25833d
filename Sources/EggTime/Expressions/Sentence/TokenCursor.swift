/// A place among the tokens of a text, and what may be taken from there.
protocol TokenCursor {
  var text: Scanner { get }
  var tokens: [Token] { get }
  /// Of the next token.
  var index: Int { get set }
}

enum TokenMark {
  case comma
  case plus
  case hyphen
  case range
}

extension TokenCursor {
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

  func means(_ meaning: Meaning, ahead: Int = 0) -> Bool {
    token(ahead: ahead)?.meanings.contains(meaning) ?? false
  }

  mutating func takes(_ meaning: Meaning) -> Bool {
    guard means(meaning) else { return false }
    index += 1
    return true
  }

  mutating func takes(_ mark: TokenMark) -> Bool {
    let isNext =
      switch (token?.kind, mark) {
      case (.comma, .comma), (.plus, .plus), (.hyphen, .hyphen), (.range, .range): true
      default: false
      }
    if isNext { index += 1 }
    return isNext
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
}

/// Meanings by kind, for ``TokenCursor/take(_:)``.
extension Meaning {
  static func unit(_ meaning: Meaning) -> PersonUnit? {
    if case .unit(let unit) = meaning { unit } else { nil }
  }
  static func weekday(_ meaning: Meaning) -> Weekday? {
    if case .weekday(let weekday) = meaning { weekday } else { nil }
  }
  static func shortWeekday(_ meaning: Meaning) -> Weekday? {
    if case .shortWeekday(let weekday) = meaning { weekday } else { nil }
  }
  static func partsOfDay(_ meaning: Meaning) -> PartOfDay? {
    if case .partsOfDay(let part) = meaning { part } else { nil }
  }
  static func someTime(_ meaning: Meaning) -> [TimeOfDay]? {
    if case .someTime(let times) = meaning { times } else { nil }
  }
  static func weekAhead(_ meaning: Meaning) -> Int? {
    if case .week(let weeks) = meaning { weeks } else { nil }
  }
  static func monthFromNow(_ meaning: Meaning) -> Int? {
    if case .monthFromNow(let months) = meaning { months } else { nil }
  }
  static func yearFromNow(_ meaning: Meaning) -> Int? {
    if case .yearFromNow(let years) = meaning { years } else { nil }
  }
  static func weekdays(_ meaning: Meaning) -> UInt8? {
    if case .weekdays(let weekdays) = meaning { weekdays } else { nil }
  }
  static func month(_ meaning: Meaning) -> Int? { if case .month(let month) = meaning { month } else { nil } }
  static func day(_ meaning: Meaning) -> Int? { if case .day(let days) = meaning { days } else { nil } }
  static func ordinal(_ meaning: Meaning) -> Int? {
    if case .ordinal(let number) = meaning { number } else { nil }
  }
  static func number(_ meaning: Meaning) -> Int? {
    if case .number(let number) = meaning { number } else { nil }
  }
  static func place(_ meaning: Meaning) -> Int? {
    if case .place(let number) = meaning { number } else { nil }
  }
  static func partOfDay(_ meaning: Meaning) -> PartOfDay? {
    if case .partOfDay(let part) = meaning { part } else { nil }
  }
  static func partOfToday(_ meaning: Meaning) -> PartOfDay? {
    if case .partOfToday(let part) = meaning { part } else { nil }
  }
  static func holiday(_ meaning: Meaning) -> Holiday? {
    if case .holiday(let holiday) = meaning { holiday } else { nil }
  }
  static func zone(_ meaning: Meaning) -> String? { if case .zone(let name) = meaning { name } else { nil } }
  static func meridiem(_ meaning: Meaning) -> Bool? {
    if case .meridiem(let isAfternoon) = meaning { isAfternoon } else { nil }
  }
  static func time(_ meaning: Meaning) -> TimeOfDay? {
    if case .time(let time) = meaning { time } else { nil }
  }
}
