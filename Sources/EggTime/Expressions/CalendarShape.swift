extension Scanner {
  /// Class 7: whether a text looks like a calendar event of systemd.time(7), and like nothing that the classes before
  /// would have read: `Mon..Fri 07:30`, `*:0/15`, `12-25`, `daily UTC`.
  func looksRecurring() -> Bool {
    var parts = String(decoding: bytes[position..<end], as: UTF8.self).lowercased()
      .split(whereSeparator: \.isWhitespace)
    if parts.count > 1, let last = parts.last, last.utf8.first.map(ASCII.isLetter) ?? false {
      parts.removeLast()
    }
    if parts.count == 1, Vocabulary.shorthands.contains(String(parts[0])) { return true }
    let days = parts.first.map(Self.weekdays) ?? 0
    if days > 0 { parts.removeFirst() }
    guard parts.count <= 2, days > 1 || !parts.isEmpty else { return false }
    return parts.allSatisfy(Self.isDateOrTime)
  }

  /// How many weekdays a list or range names; 0 for anything else.
  private static func weekdays(_ part: Substring) -> Int {
    let names = part.split { ",.-".contains($0) }
    return names.allSatisfy { Vocabulary.weekday(String($0)) != nil } ? names.count : 0
  }

  /// `*-*-01`, `8..17:00`; of mere numbers only a month and a day, or an hour and a minute.
  private static func isDateOrTime(_ part: Substring) -> Bool {
    guard part.utf8.allSatisfy({ ASCII.isDigit($0) || "*,./-~:".utf8.contains($0) }) else { return false }
    let isTime = part.contains(":")
    guard isTime || part.contains("-") || part.contains("~") || part.contains("*") else { return false }
    if part.contains(where: { "*,./~".contains($0) }) { return true }
    let numbers = part.split(separator: isTime ? ":" : "-").compactMap { Int($0) }
    switch numbers.count {
    case 2: return isTime ? numbers[0] < 24 && numbers[1] < 60 : numbers[0] <= 12 && numbers[1] <= 31
    case 3: return isTime ? numbers[0] < 24 : numbers[1] <= 12 && numbers[2] <= 31
    default: return false
    }
  }
}
