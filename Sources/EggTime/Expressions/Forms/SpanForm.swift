extension Scanner {
  /// Class 5, if asked for: `(NUM UNIT)+ [NUM]`, a bare number of seconds, and systemd's average months and years.
  mutating func span() throws(Misread) -> Form {
    if takes("+") { skipBlanks() }
    let terms = try spanTerms()
    try finish()
    return .span(terms.span, hint: terms.hint)
  }

  /// The sum of terms in any order, repeated or not; stops before `ago` and `left`. A number without a unit ends them.
  /// It counts minutes after hours, seconds after minutes or alone, and is refused after other units.
  mutating func spanTerms() throws(Misread) -> (span: TimeSpan, hint: ExpressionHint?) {
    var terms: (span: TimeSpan, hint: ExpressionHint?) = (.zero, nil)
    var last: Int64?
    while true {
      let start = position
      guard let number = try typedNumber() else { throw stop }
      let bookmark = self
      skipBlanks()
      let unitStart = position
      while let byte = peek(), ASCII.isLetter(byte) || byte >= 0x80 { position += 1 }
      let name = text(from: unitStart)
      let unit = SpanUnit.named(name)
      if unit == nil {
        guard name.isEmpty || ["ago", "left"].contains(name.lowercased()) else {
          throw Misread(offset: unitStart, reason: name.isASCII ? .unknownUnit : .unexpected)
        }
        self = bookmark
      }
      guard let length = unit ?? SpanUnit.behind(last) else { throw Misread(.bareNumber, at: start) }
      guard let product = number.times(length) else { throw Misread(.outOfBounds, at: start) }
      let total = try add(terms.span.microseconds, product, at: start)
      if length >= SpanUnit.month {
        let word = length == SpanUnit.month ? "month" : "year"
        terms.hint = .averageUnits(
          instead: number.count.map { "now + \($0) \(word)\($0 == 1 ? "" : "s")" } ?? "now + 1 \(word)")
      }
      terms.span = TimeSpan(microseconds: total)
      last = unit
      guard unit != nil else { return terms }
      let end = self
      skipBlanks()
      guard !atEnd, !seesStopWord else {
        self = end
        return terms
      }
    }
  }

  private var seesStopWord: Bool { word().map { $0 == "ago" || $0 == "left" } ?? false }

  /// A run of digits of any length; overflow is an error at its start.
  mutating func wholeNumber() throws(Misread) -> Int64 {
    let start = position
    var value: Int64 = 0
    while let byte = peek(), ASCII.isDigit(byte) {
      value = try add(try multiply(value, 10, at: start), Int64(byte - UInt8(ascii: "0")), at: start)
      position += 1
    }
    return value
  }

  /// `5`, `1.25`, `.5`; nil for anything else.
  mutating func typedNumber() throws(Misread) -> TypedNumber? {
    let digits = digitCount
    guard digits > 0 || sees(".") && peek(1).map(ASCII.isDigit) ?? false else { return nil }
    var number = TypedNumber(whole: try wholeNumber(), digits: digits)
    guard sees("."), peek(1).map(ASCII.isDigit) ?? false else { return number }
    position += 1
    number.fraction = bytes[position..<position + digitCount].map { $0 - UInt8(ascii: "0") }
    position += digitCount
    return number
  }

  func multiply(_ a: Int64, _ b: Int64, at offset: Int) throws(Misread) -> Int64 {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    guard !overflow else { throw Misread(.outOfBounds, at: offset) }
    return product
  }

  func add(_ a: Int64, _ b: Int64, at offset: Int) throws(Misread) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    guard !overflow else { throw Misread(.outOfBounds, at: offset) }
    return sum
  }
}
