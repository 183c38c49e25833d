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
}
