/// Zones: `UTC`, `Europe/Paris`, `+09:00`.
extension Lexer {
  /// Takes the comment that RFC 5322 allows after an offset: `+0900 (KST)`.
  mutating func takesComment() -> Bool {
    guard scanner.sees("("), case .zone(.offset) = tokens.last?.kind else { return false }
    var end = scanner.position + 1
    while let byte = scanner.byte(at: end), byte != UInt8(ascii: ")") { end += 1 }
    guard end < scanner.end else { return false }
    scanner.position = end + 1
    return true
  }

  /// `UTC`, `GMT` and, after a time, `Z`, in any case. Refuses `UTC+9`.
  mutating func universalTime(
    _ typed: String, isGlued: Bool, from start: Int, to end: Int
  ) throws(Misread) -> ZoneForm? {
    let name = typed.lowercased()
    guard name == "utc" || name == "gmt" || name == "z" && !tokens.isEmpty else { return nil }
    scanner.position = end
    if scanner.sees("+") || scanner.sees("-"), let digit = scanner.peek(1), ASCII.isDigit(digit) {
      let sign = scanner.takes("-") ? "-" : "+"
      if sign == "+" { _ = scanner.takes("+") }
      let hours = scanner.digitCount <= 2 ? scanner.number(digits: 1...2) : nil
      var minutes = 0
      if scanner.takes(":") { minutes = scanner.number(digits: 2...2) ?? 0 }
      let offset = hours.map { sign + Digits.padded($0, to: 2) + ":" + Digits.padded(minutes, to: 2) }
      throw Misread(
        .zoneWithOffset, at: start,
        readings: offset.map { [scanner.text(0..<start) + $0 + scanner.text(scanner.position..<scanner.end)] }
          ?? [])
    }
    return name == "z" ? .offset(0) : .named("UTC", offset: start)
  }

  /// `Europe/Paris`; nil, without moving, for a word without a slash.
  mutating func zoneName() -> String? {
    var end = scanner.position
    var hasSlash = false
    while let byte = scanner.byte(at: end) {
      let isLetter = ASCII.isLetter(byte) || byte == UInt8(ascii: "_")
      let isInner =
        hasSlash && (ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"))
      if byte == UInt8(ascii: "/"), let next = scanner.byte(at: end + 1), ASCII.isLetter(next) {
        hasSlash = true
      } else if !isLetter, !isInner {
        break
      }
      end += 1
    }
    guard hasSlash else { return nil }
    defer { scanner.position = end }
    return scanner.text(scanner.position..<end)
  }

  /// `+09:00`, `-0500` after a time or a date, from -12:00 to +14:00; nil, without moving, for any other sign.
  /// A minus directly behind a clock begins a range (`9:00-10:00`), unless the text has a date of ISO 8601.
  mutating func offsetZone(isGlued: Bool) throws(Misread) -> ZoneForm? {
    guard scanner.sees("+") || scanner.sees("-"), let last = tokens.last, last.mayHaveZoneBehind else {
      return nil
    }
    let isMinus = scanner.sees("-")
    var rest = scanner
    rest.position += 1
    let digits = rest.digitCount
    rest.position += digits
    let isExact = digits == 4 || digits == 2 && rest.takes(":") && rest.digitCount == 2
    let hasISODate = tokens.contains {
      if case .date(let date) = $0.kind { date.separator == .hyphen } else { false }
    }
    guard isExact ? !isMinus || !isGlued || hasISODate : digits == 2 && hasISODate && (isMinus || !isGlued)
    else {
      return nil
    }
    let bookmark = scanner
    do throws(Misread) {
      let offset = try scanner.zoneOffset()
      var rest = scanner
      rest.skipBlanks()
      // `9:00 +1000 min` adds a span; `9:00-11:00:30` is no offset.
      let isUnit = rest.word().map { Lexicon.means($0, \.unit) }
      if isUnit != true, !scanner.sees(":"), !scanner.seesDigit, ZoneForm.isOffset(offset) {
        return .offset(offset)
      }
    } catch {
      if error.isDecisive, !isMinus { throw error }
    }
    scanner = bookmark
    return nil
  }
}

extension Token {
  /// Whether a sign and digits after it are a zone's offset.
  fileprivate var mayHaveZoneBehind: Bool {
    switch kind {
    case .clock, .date: true
    case .number(let number): number.asClock != nil
    case .word(let meanings):
      meanings.contains {
        switch $0 {
        case .meridiem, .time, .day, .weekday: true
        default: false
        }
      }
    default: false
    }
  }
}
