/// Numbers, dates and times of day in digits.
extension Lexer {
  mutating func digits() throws(Misread) -> Token.Kind {
    if let date = date() { return .date(date) }
    if let clock = try clock() { return clock }
    guard let number = try scanner.typedNumber() else { throw scanner.stop }
    return .number(number)
  }

  /// `7:30`, `7:30:15`, `7:30:15.25`; otherwise nil, without moving.
  private mutating func clock() throws(Misread) -> Token.Kind? {
    let bookmark = scanner
    let hourDigits = scanner.digitCount
    var rest = scanner
    guard rest.number(digits: 1...2) != nil, rest.takes(":"), rest.digitCount == 2 else { return nil }
    let time = try scanner.time()
    // `15:44,39:01` and `1:30:00:00` are not times of day.
    guard !scanner.sees(":"), !scanner.seesDigit else {
      scanner = bookmark
      return nil
    }
    return .clock(time, hourDigits: hourDigits)
  }

  /// A date in digits, `2027-01-20`, `20.1.2027`, `1/20/2027`, `1/20`, `2027. 1. 20.`; otherwise nil, without
  /// moving.
  private mutating func date() -> NumericDate? {
    let bookmark = scanner
    for separator in NumericDate.Separator.allCases {
      var parts: [NumericDate.Part] = []
      repeat {
        if separator == .point, !parts.isEmpty { scanner.skipBlanks() }
        let (digits, offset) = (scanner.digitCount, scanner.position)
        guard let value = scanner.number(digits: 1...4) else { break }
        parts.append((value, digits, offset))
      } while parts.count < 3 && scanner.takes(separator.rawValue)
      let isWhole = parts.count == 3 || separator == .slash && parts.count == 2 && !scanner.sees("/")
      let isFollowed =
        scanner.sees(separator.rawValue) && separator != .point || scanner.seesDigit || scanner.sees(":")
      if isWhole, !isFollowed, separator != .point || parts[0].digits == 4 || parts[2].digits == 4 {
        if separator == .point { _ = scanner.takes(".") }
        // The T of RFC 3339.
        if parts.count == 3, scanner.sees("T") || scanner.sees("t"),
          scanner.peek(1).map(ASCII.isDigit) ?? false
        {
          _ = scanner.takes("T") || scanner.takes("t")
        }
        return NumericDate(parts: parts, separator: separator)
      }
      scanner = bookmark
    }
    return dayAndMonth()
  }

  /// `24.12.`, `12. 24.`, and `24.12` before a time of day; otherwise nil, without moving.
  private mutating func dayAndMonth() -> NumericDate? {
    let bookmark = scanner
    var parts: [NumericDate.Part] = []
    while parts.count < 2 {
      let (digits, offset) = (scanner.digitCount, scanner.position)
      guard let value = scanner.number(digits: 1...2) else { break }
      guard scanner.takes(".") || parts.count == 1 && looksAhead && seesClockBehindBlanks else { break }
      parts.append((value, digits, offset))
      if parts.count == 1 { scanner.skipBlanks() }
    }
    if parts.count == 2, scanner.atEnd || scanner.peek().map(ASCII.isBlank) ?? false || scanner.sees(",") {
      return NumericDate(parts: parts, separator: .point)
    }
    scanner = bookmark
    return nil
  }

  /// `18:00`, `10am`, `오전 10시`
  private var seesClockBehindBlanks: Bool {
    var rest = Lexer(scanner: scanner)
    rest.looksAhead = false
    guard rest.scanner.skipBlanks() else { return false }
    while rest.tokens.count < 2, !rest.scanner.atEnd, (try? rest.next()) != nil {}
    let isMarked = { (token: Token?) in
      token?.meanings.contains { $0 == .hourMark || $0.meridiem != nil } ?? false
    }
    switch rest.tokens.first?.kind {
    case .clock: return true
    case .number: return isMarked(rest.tokens.last)
    // `7.30 pm 2 eggs`
    default:
      return rest.tokens.count == 2 && isMarked(rest.tokens[0]) && scanner.bytes[rest.tokens[0].start] >= 0x80
    }
  }
}
