/// Parts shared by timestamps, the display format and sentences.
extension Scanner {
  /// `YYYY-M-D` or `YY-M-D`: 00 to 69 are 2000 to 2069, 70 to 99 are 1970 to 1999.
  mutating func date() throws(Misread) -> DateForm {
    let start = position
    let count = digitCount
    guard count == 2 || count == 4, var year = number(digits: 2...4), takes("-") else { throw stop }
    if count == 2 { year += year < 70 ? 2000 : 1900 }
    let monthStart = position
    guard let month = number(digits: 1...2), takes("-") else { throw stop }
    let dayStart = position
    guard let day = number(digits: 1...2) else { throw stop }
    return try fullDate(year: year, month: month, day: day, offsets: (start, monthStart, dayStart))
  }

  /// Throws unless the date exists and its year is ``earliestYear`` or later.
  func fullDate(
    year: Int, month: Int, day: Int, offsets: (year: Int, month: Int, day: Int)
  ) throws(Misread) -> DateForm {
    guard (earliestYear...9999).contains(year) else { throw Misread(.outOfBounds, at: offsets.year) }
    guard (1...12).contains(month) else { throw Misread(.noSuchDate, at: offsets.month) }
    guard day >= 1, day <= CivilDateTime.days(in: month, of: year) else {
      throw Misread(.noSuchDate, at: offsets.day)
    }
    return .full(year: year, month: month, day: day)
  }

  /// `H:MM[:SS[.1-9 digits]]`; the seventh digit rounds.
  mutating func time() throws(Misread) -> TimeOfDay {
    let start = position
    guard let hour = number(digits: 1...2), takes(":") else { throw stop }
    let minuteStart = position
    guard let minute = number(digits: 2...2) else { throw stop }
    var time = TimeOfDay(hour: hour, minute: minute)
    let secondStart = position + 1
    let hasSeconds = takes(":")
    if hasSeconds {
      guard let second = number(digits: 2...2) else { throw stop }
      time.second = second
    }
    guard minute <= 59 else { throw Misread(.noSuchTime, at: minuteStart) }
    guard time.second <= 59 else { throw Misread(.noSuchTime, at: secondStart) }
    guard hour <= 23 else { throw Misread(.noSuchTime, at: start) }
    if hasSeconds, takes(".") { time.microsecond = try fractionOfSecond() }
    return time
  }

  /// 1 to 9 digits, in microseconds: up to 1 000 000.
  mutating func fractionOfSecond() throws(Misread) -> Int {
    let count = digitCount
    guard var fraction = number(digits: 1...9) else { throw stop }
    for _ in count..<9 { fraction *= 10 }
    // Only the seventh digit decides, as in systemd.
    return fraction / 1_000 + (fraction / 100 % 10 >= 5 ? 1 : 0)
  }

  /// The zone at the end of the text: `UTC`, `Z`, `+hh[[:]mm]`, an IANA name or an abbreviation.
  mutating func zone() throws(Misread) -> ZoneForm {
    if sees("+") || sees("-") {
      let offset = try zoneOffset()
      try finish()
      return .offset(offset)
    }
    let start = position
    guard word() != nil else { throw stop }
    while let byte = peek(), !ASCII.isBlank(byte), byte != UInt8(ascii: ",") { position += 1 }
    try finish()
    let name = text(from: start)
    // The word may be something else; SentenceReader decides.
    if !name.contains("/"), name.lowercased() != "z", !Evaluation.isUniversal(name) {
      position = start
      throw stop
    }
    return name == "Z" || name == "z" ? .offset(0) : .named(name, offset: start)
  }

  /// `+hh[[:]mm]` in seconds, below a day.
  mutating func zoneOffset() throws(Misread) -> Int {
    let start = position
    let isNegative = takes("-")
    if !isNegative { _ = takes("+") }
    var hours: Int
    var minutes = 0
    if digitCount == 4, let both = number(digits: 4...4) {
      (hours, minutes) = both.quotientAndRemainder(dividingBy: 100)
    } else {
      guard let number = number(digits: 2...2) else { throw stop }
      hours = number
      if takes(":") {
        guard let number = self.number(digits: 2...2) else { throw stop }
        minutes = number
      }
    }
    guard hours <= 23, minutes <= 59 else { throw Misread(.unknownZone, at: start) }
    let seconds = hours * 3_600 + minutes * 60
    return isNegative ? -seconds : seconds
  }
}
