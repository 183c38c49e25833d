extension Scanner {
  /// Class 0: what no reading is guessed for, where that class was asked for. nil for all other texts; spans take bare
  /// numbers.
  func bareText(as kind: ExpressionKind?) -> Misread? {
    guard !atEnd else { return Misread(offset: position, reason: .empty, isDecisive: true) }
    var rest = self
    if rest.takes(word: "infinity"), rest.atEnd {
      return Misread(offset: position, reason: .infinity, isDecisive: true)
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
    if !rest.atEnd { return clockWithLetter() }
    return Misread(
      offset: position, reason: .bareNumber, isDecisive: true,
      nearest: likely(rest.text(from: position), as: kind))
  }

  /// `17h30` is a time of day to some; by the units it would be seventeen hours and thirty seconds.
  private func clockWithLetter() -> Misread? {
    var rest = self
    guard rest.number(digits: 2...2) != nil, rest.takes("h") else { return nil }
    let minutes = rest.position
    guard rest.number(digits: 2...2) != nil, rest.atEnd else { return nil }
    return Misread(
      offset: minutes, reason: .bareNumber, isDecisive: true,
      nearest: String(decoding: bytes[position..<minutes - 1], as: UTF8.self) + ":" + rest.text(from: minutes)
    )
  }

  /// 1730 was a time, 20271224 a date, and 90 a span of seconds; after `at` 5 was an hour.
  private func likely(_ number: String, as kind: ExpressionKind?) -> String {
    let digits = Array(number)
    if digits.count == 4, let hour = Int(number.prefix(2)), let minute = Int(number.suffix(2)), hour < 24,
      minute < 60
    {
      return "\(number.prefix(2)):\(number.suffix(2))"
    }
    if digits.count == 8, !digits.contains(".") {
      let date = "\(number.prefix(4))-\(number.dropFirst(4).prefix(2))-\(number.suffix(2))"
      if CivilDateTime("\(date) 00:00:00") != nil { return date }
    }
    return kind == .timestamp ? "\(number):00" : "\(number)s"
  }
}
