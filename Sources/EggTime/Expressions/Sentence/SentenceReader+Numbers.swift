/// Numbers: `7`, `twenty-five`, `15th`, `half a`, `삼십오`.
extension SentenceReader {
  /// A number in digits or words: `7`, `2.5`, `twenty-five`, `삼십오`.
  mutating func takeNumber() -> TypedNumber? {
    if case .number(let number) = token?.kind {
      index += 1
      return number
    }
    guard let value = takeNumberInWords() else { return nil }
    return TypedNumber(whole: Int64(value), digits: 2, fraction: nil)
  }

  private mutating func takeNumberInWords() -> Int? {
    var total = 0
    var ones: Int?
    var found = false
    while true {
      if ones == nil, let number = take(\.number) {
        ones = number
      } else if let place = take(\.place) {
        total += (ones ?? 1) * place
        ones = nil
      } else if let tens = ones, tens >= 20, tens % 10 == 0, let next = onesBehindTens() {
        ones = tens + next
      } else {
        return found ? total + (ones ?? 0) : nil
      }
      found = true
    }
  }

  /// `five` of `twenty five` and `twenty-five`.
  private mutating func onesBehindTens() -> Int? {
    let bookmark = self
    _ = takes(.hyphen)
    if let number = take(\.number), number < 10 { return number }
    self = bookmark
    return nil
  }

  /// `15th`, `second`, `31st`.
  mutating func takeOrdinal() -> Int? {
    let bookmark = index
    if let number = take(\.ordinal) { return number }
    if let tens = take(\.number), [20, 30].contains(tens) {
      _ = takes(.hyphen)
      if let number = take(\.ordinal), number < 10 { return tens + number }
      return back(to: bookmark)
    }
    index = bookmark
    guard case .number(let number) = token?.kind, let count = number.count, let next = token(ahead: 1),
      next.isGlued
    else { return nil }
    let suffix = text.text(next.range).lowercased()
    guard Lexicon.ordinalSuffixes.contains(suffix) else { return nil }
    index += 2
    return count
  }

  /// `2`, `2.5`, `a`, `half a`, `3/4`, `two and a half`, `7 1/2`, `three quarters of an`.
  mutating func amount() -> TypedNumber? {
    let first = index
    func fraction(_ digits: UInt8..., whole: Int64 = 0) -> TypedNumber {
      TypedNumber(whole: whole, digits: 1, fraction: digits)
    }
    func quarters(_ count: UInt8, whole: Int64 = 0) -> TypedNumber {
      count == 2 ? fraction(5, whole: whole) : fraction(25 * count / 10, 5, whole: whole)
    }
    if takes(.half) {
      _ = takes(.of)
      _ = takes(.one)
      return fraction(5)
    }
    if let count = takeQuarters() { return quarters(count) }
    let isOne = takes(.one)
    if takes(.couple) {
      _ = takes(.of)
      return TypedNumber(whole: 2, digits: 1, fraction: nil)
    }
    // `a 5 min break`
    let isCounted = if case .number = token?.kind { true } else { false }
    if isOne, !isCounted { return TypedNumber(whole: 1, digits: 1, fraction: nil) }
    guard let number = takeNumber() else { return back(to: first) }
    let bookmark = index
    // `1,5 hours`
    if number.fraction == nil, token?.isGlued == true, takes(.comma), token?.isGlued == true,
      case .number(let tenths) = token?.kind, tenths.digits <= 2, let digits = tenths.count
    {
      index += 1
      return tenths.digits == 1
        ? fraction(UInt8(digits), whole: number.whole)
        : fraction(UInt8(digits / 10), UInt8(digits % 10), whole: number.whole)
    }
    index = bookmark
    // `1½ hours`
    if number.fraction == nil, token?.isGlued == true, takes(.half) {
      return fraction(5, whole: number.whole)
    }
    let isFraction = if case .date = token?.kind { true } else { false }
    if number.fraction == nil, takes(.and) || isFraction {
      if let count = takeQuarters() { return quarters(count, whole: number.whole) }
      if takes(.one) || take(\.number) ?? 1 == 1, takes(.half) { return fraction(5, whole: number.whole) }
    }
    index = bookmark
    return number
  }

  /// `1/2`, `3/4`, `a quarter`, `three quarters of an`
  private mutating func takeQuarters() -> UInt8? {
    let first = index
    var count: Int?
    if case .date(let date) = token?.kind, date.separator == .slash, date.parts.count == 2 {
      index += 1
      count = [2: 2, 4: 1][date.parts[1].value].map { $0 * date.parts[0].value }
    } else {
      let number = takes(.one) || means(.quarter) ? 1 : take(\.number)
      _ = takes(.hyphen)
      if takes(.quarter) { count = number }
    }
    guard let count, (1...3).contains(count) else { return back(to: first) }
    if takes(.of) { _ = takes(.one) }
    return UInt8(count)
  }
}
