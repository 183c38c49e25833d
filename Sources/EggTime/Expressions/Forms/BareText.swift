extension Scanner {
  /// Class 0: empty texts, `infinity`, and bare numbers unless a span was asked for. nil for other texts.
  func bareText(as kind: ExpressionKind?) -> Misread? {
    guard !atEnd else { return Misread(.empty, at: position) }
    var rest = self
    if rest.takes(word: "infinity"), rest.atEnd {
      return Misread(.infinity, at: position)
    }
    guard kind != .span else { return nil }
    rest = self
    let whole = rest.digitCount
    rest.position += whole
    if rest.takes(".") {
      guard rest.seesDigit else { return nil }
      rest.position += rest.digitCount
    } else if whole == 0 {
      return nil
    }
    guard rest.atEnd else { return nil }
    return Misread(.bareNumber, at: position, readings: likely(rest.text(from: position), as: kind))
  }

  /// Reads 1730 and 17.30 as times, 20271224 as a date, 90 as a span, and 5 after `at` as an hour.
  private func likely(_ number: String, as kind: ExpressionKind?) -> [String] {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts[0].count
    let typed = TypedNumber(
      whole: Int64(parts[0]) ?? -1, digits: digits,
      fraction: parts.count > 1 ? parts[1].utf8.map { $0 - UInt8(ascii: "0") } : nil)
    if digits == 4 || parts.count > 1, let time = typed.asClock { return [time.text] }
    if digits == 8, parts.count == 1 {
      let date = "\(number.prefix(4))-\(number.dropFirst(4).prefix(2))-\(number.suffix(2))"
      if CivilDateTime("\(date) 00:00:00") != nil { return [date] }
    }
    if kind == .timestamp { return [digits <= 2 && Int(number) ?? 24 < 24 ? "\(number):00" : "+\(number)"] }
    return ["\(number)m", "\(number)s"]
  }
}
