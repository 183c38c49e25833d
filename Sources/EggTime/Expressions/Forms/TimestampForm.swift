extension Scanner {
  /// Class 2: `@` and seconds since the epoch, with 1 to 6 digits after the point.
  mutating func epoch() throws(Misread) -> Form {
    guard takes("@") else { throw stop }
    let start = position
    guard seesDigit else { throw stop }
    var microseconds = try multiply(try wholeNumber(), SpanUnit.second, at: start)
    if takes(".") {
      let count = digitCount
      guard (1...6).contains(count), var fraction = number(digits: 1...6) else { throw stop }
      for _ in count..<6 { fraction *= 10 }
      microseconds = try add(microseconds, Int64(fraction), at: start)
    }
    let last = position
    if !atEnd, skipBlanks(), peek().map(ASCII.isLetter) ?? false {
      throw Misread(.epochWithZone, at: position, readings: [text(0..<last)])
    }
    try finish()
    return .epoch(Instant(microseconds: microseconds))
  }

  /// Class 4: the timestamps of systemd.time(7), and RFC 3339. If not asked for, signed spans and `left` alone.
  mutating func timestamp() throws(Misread) -> Form {
    let start = position
    if sees("+") || sees("-") { return try signedSpan() }
    guard isForced else { return try spanAgoOrLeft() }
    if let word = word() {
      guard let weekday = Weekday(word: word) else { throw stop }
      position += word.utf8.count
      guard skipBlanks() else { throw stop }
      return try dated(weekday: (weekday, start))
    }
    if let byte = peek(digitCount), byte == UInt8(ascii: "-"), digitCount > 0 {
      return try dated(weekday: nil)
    }
    if let byte = peek(digitCount), byte == UInt8(ascii: ":"), digitCount > 0 {
      let time = try time()
      return .civil(CivilForm(time: time, zone: try zoneAfterBlank()))
    }
    return try spanAgoOrLeft()
  }

  /// `DATE [(" "|"T") TIME] [ZONE | WELD]`; checks the weekday.
  private mutating func dated(weekday: (Weekday, offset: Int)?) throws(Misread) -> Form {
    var form = CivilForm()
    let dateStart = position
    form.date = try date()
    if let (named, offset) = weekday, case .full(let year, let month, let day) = form.date {
      let actual = CivilDateTime(year: year, month: month, day: day).weekday
      guard actual == named else {
        throw Misread(.wrongWeekday(actual), at: offset, readings: [text(dateStart..<end)])
      }
    }
    if takes("T") || takes("t") {
      form.time = try time()
    } else {
      let bookmark = self
      skipBlanks()
      if seesDigit { form.time = try time() } else { self = bookmark }
    }
    if let weld = try weld() {
      form.zone = weld
      try finish()
    } else {
      form.zone = try zoneAfterBlank()
    }
    return .civil(form)
  }

  /// `Z` or `+hh:mm` without a blank before it; nil for neither.
  private mutating func weld() throws(Misread) -> ZoneForm? {
    if takes("Z") || takes("z") { return .offset(0) }
    guard sees("+") || sees("-") else { return nil }
    guard peek(3) == UInt8(ascii: ":") else { throw stop }
    return .offset(try zoneOffset())
  }

  /// nil at the end; otherwise a blank and a zone, then the end.
  mutating func zoneAfterBlank() throws(Misread) -> ZoneForm? {
    guard !atEnd else { return nil }
    guard skipBlanks() else { throw stop }
    return try zone()
  }

  /// `("+"|"-") (SPAN|NUM)`.
  private mutating func signedSpan() throws(Misread) -> Form {
    let isPast = takes("-")
    if !isPast { _ = takes("+") }
    skipBlanks()
    if !isForced, digitCount == end - position, digitCount > 0 {
      let whole = text(0..<end)
      throw Misread(
        .bareNumber, at: position, readings: isPast ? [] : ["\(whole) minutes", "\(whole) seconds"])
    }
    let (span, hint) = try spanTerms()
    try finish()
    return elapsed(span, hint, isPast: isPast)
  }

  /// `(SPAN|NUM) (ago|left)`.
  private mutating func spanAgoOrLeft() throws(Misread) -> Form {
    let (span, hint) = try spanTerms()
    guard skipBlanks() else { throw stop }
    let isPast = takes(word: "ago")
    guard isPast || takes(word: "left") else { throw stop }
    try finish()
    return elapsed(span, hint, isPast: isPast)
  }

  /// The past is only shown, so average units need no hint.
  private func elapsed(_ span: TimeSpan, _ hint: ExpressionHint?, isPast: Bool) -> Form {
    isPast ? .elapsed(.zero - span) : .elapsed(span, hint: hint)
  }
}
