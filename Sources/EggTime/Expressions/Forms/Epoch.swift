extension Scanner {
  /// Class 2: `@` and seconds since the epoch, with 1 to 6 digits after the point.
  mutating func epoch() throws(Misread) -> Form {
    guard takes("@") else { throw stop }
    let start = position
    guard seesDigit else { throw stop }
    var moment = try multiply(try wholeNumber(), SpanUnit.second, at: start)
    if takes(".") {
      let count = digitCount
      guard (1...6).contains(count), var fraction = number(digits: 1...6) else { throw stop }
      for _ in count..<6 { fraction *= 10 }
      moment = try add(moment, Int64(fraction), at: start)
    }
    if !atEnd, skipBlanks(), peek().map(ASCII.isLetter) ?? false {
      throw Misread(.epochWithZone, at: position, readings: [text(0..<position).trimmingBlanks])
    }
    try finish()
    return .epoch(Instant(microseconds: moment))
  }
}

extension String {
  /// Trailing ones.
  fileprivate var trimmingBlanks: String {
    String(decoding: utf8.reversed().drop(while: ASCII.isBlank).reversed(), as: UTF8.self)
  }
}
