extension Scanner {
  /// Class 0: empty texts, `infinity`, and bare numbers unless a span was asked for. nil for other texts.
  func bareText(as kind: ExpressionKind?) -> Misread? {
    guard !atEnd else { return Misread(.empty, at: position) }
    var rest = self
    if rest.takes(word: "infinity"), rest.atEnd {
      return Misread(.infinity, at: position)
    }
    rest = self
    guard kind != .span, let number = try? rest.typedNumber() ?? nil, rest.atEnd else {
      return nil
    }
    return Misread(.bareNumber, at: position, readings: likely(number, rest.text(from: position), as: kind))
  }

  /// Reads 1730 and 17.30 as times, 20271224 as a date, 90 as a span, and 5 after `at` as an hour.
  private func likely(_ number: TypedNumber, _ text: String, as kind: ExpressionKind?) -> [String] {
    let (digits, isWhole) = (number.digits, number.fraction == nil)
    if digits == 4 || !isWhole, let time = number.asClock { return [time.text] }
    if digits == 8, isWhole {
      let date = "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
      if CivilDateTime("\(date) 00:00:00") != nil { return [date] }
    }
    if kind == .timestamp { return [digits <= 2 && Int(text) ?? 24 < 24 ? "\(text):00" : "+\(text)"] }
    return ["\(text)m", "\(text)s"]
  }
}
