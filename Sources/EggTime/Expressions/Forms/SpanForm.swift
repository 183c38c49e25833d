extension Scanner {
  /// Class 5, if asked for: `(NUM UNIT)+ [NUM]`, a bare number of seconds, and systemd's average months and years.
  mutating func span() throws(Misread) -> Form {
    if takes("+") { skipBlanks() }
    let terms = try spanTerms()
    try finish()
    return .span(terms.span, hint: terms.hint)
  }

  /// The sum of the terms.
  struct SpanTerms {
    var span = TimeSpan.zero
    var hint: ExpressionHint?
  }

  /// Terms in any order, repeated or not; stops before `ago` and `left`. A number without a unit ends them.
  /// It counts minutes after hours, seconds after minutes or alone, and is refused after other units.
  mutating func spanTerms() throws(Misread) -> SpanTerms {
    var terms = SpanTerms()
    var last: Int64?
    while true {
      let start = position
      guard seesDigit || (sees(".") && peek(1).map(ASCII.isDigit) ?? false) else { throw stop }
      let whole = seesDigit ? try wholeNumber() : 0
      let fractionStart = self
      if sees(".") { _ = try fractionOfSpan(SpanUnit.second) }
      let afterNumber = self
      skipBlanks()
      let unitStart = position
      while let byte = peek(), ASCII.isLetter(byte) || byte >= 0x80 { position += 1 }
      let name = text(from: unitStart)
      let unit = SpanUnit.named(name)
      if unit == nil {
        guard name.isEmpty || ["ago", "left"].contains(name.lowercased()) else {
          throw Misread(offset: unitStart, reason: name.isASCII ? .unknownUnit : .unexpected)
        }
        self = afterNumber
      }
      let afterTerm = self
      self = fractionStart
      guard let length = unit ?? SpanUnit.behind(last) else { throw Misread(.bareNumber, at: start) }
      var total = try multiply(whole, length, at: start)
      let isWhole = !sees(".")
      if !isWhole { total = try add(total, try fractionOfSpan(length), at: start) }
      self = afterTerm
      total = try add(terms.span.microseconds, total, at: start)
      if length >= SpanUnit.month {
        let word = length == SpanUnit.month ? "month" : "year"
        terms.hint = .averageUnits(
          instead: isWhole ? "now + \(whole) \(word)\(whole == 1 ? "" : "s")" : "now + 1 \(word)")
      }
      terms.span = TimeSpan(microseconds: total)
      last = unit
      guard unit != nil else { return terms }
      let bookmark = self
      skipBlanks()
      guard !atEnd, !seesStopWord else {
        self = bookmark
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

  /// A point and digits as a fraction of a unit, in microseconds. Truncates digit by digit, as systemd does.
  mutating func fractionOfSpan(_ unit: Int64) throws(Misread) -> Int64 {
    guard takes("."), seesDigit else { throw stop }
    var weight = unit
    var total: Int64 = 0
    while let byte = peek(), ASCII.isDigit(byte) {
      weight /= 10
      total += Int64(byte - UInt8(ascii: "0")) * weight
      position += 1
    }
    return total
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
