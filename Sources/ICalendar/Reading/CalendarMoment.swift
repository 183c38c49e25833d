import EggTime

/// The value of DTSTART, DUE and the like: RFC 5545 §3.3.4, §3.3.5 and §3.3.12.
struct CalendarMoment {
  var civil: CivilDateTime
  var clock: Clock
  /// Whether it is a date without a time; the time is then 00:00.
  var isDay: Bool

  enum Clock {
    /// The reader's own clock.
    case floating
    /// UTC, or the zone of a TZID.
    case zone(Zone)
  }

  var zone: Zone? {
    if case .zone(let zone) = clock { zone } else { nil }
  }

  /// A floating moment is read on the clock of `local`.
  func instant(_ local: Zone) -> Instant { (zone ?? local).resolve(civil).instant }

  /// Reads `20261224`, `20261224T180000` and `20261224T180000Z`; nil for anything else, also for a day that
  /// does not exist.
  init?(_ text: some StringProtocol, zone: Zone? = nil) {
    let digits = Array(text.utf8)
    guard digits.count == 8 || (15...16).contains(digits.count) else { return nil }
    func number(_ start: Int, _ count: Int) -> Int? {
      var value = 0
      for byte in digits[start..<start + count] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0, 4), let month = number(4, 2), let day = number(6, 2) else { return nil }
    civil = CivilDateTime(year: year, month: month, day: day)
    clock = zone.map(Clock.zone) ?? .floating
    isDay = digits.count == 8
    if !isDay {
      guard digits[8] == UInt8(ascii: "T"), let hour = number(9, 2), let minute = number(11, 2),
        let second = number(13, 2)
      else { return nil }
      // A leap second becomes the second before it: civil times here have none.
      (civil.hour, civil.minute, civil.second) = (hour, minute, second == 60 ? 59 : second)
      if digits.count == 16 {
        guard digits[15] == UInt8(ascii: "Z") else { return nil }
        clock = .zone(.utc)
      }
    }
    guard civil.isValid else { return nil }
  }
}

/// A duration on a clock: RFC 5545 §3.3.6. Days are calendar days, whatever their length.
struct CalendarDistance: Equatable {
  var days = 0
  /// Elapsed time.
  var seconds = 0

  static let zero = CalendarDistance()
  /// A hundred years; longer durations are refused.
  private static let most = 36_525 * 86_400

  init(days: Int = 0, seconds: Int = 0) { (self.days, self.seconds) = (days, seconds) }

  /// Between two moments: civil time if both are on one clock, else elapsed time.
  init(from start: CalendarMoment, to end: CalendarMoment, local: Zone) {
    if start.zone?.identifier == end.zone?.identifier {
      days = end.civil.dayNumber - start.civil.dayNumber
      seconds = end.civil.secondsOnClock - start.civil.secondsOnClock - days * 86_400
    } else {
      seconds = Int((end.instant(local) - start.instant(local)).microseconds / 1_000_000)
    }
  }

  /// Reads `P1W`, `-P1DT2H`, `PT15M`; nil for anything else, and for more than a hundred years.
  init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
    if sign < 0 || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var isTime = false
    while let first = rest.first {
      if first == UInt8(ascii: "T"), !isTime, rest.count > 1 {
        isTime = true
        rest.removeFirst()
      }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...10).contains(digits.count), let unit = rest.dropFirst(digits.count).first else { return nil }
      rest = rest.dropFirst(digits.count + 1)
      let number = sign * digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      switch (unit, isTime) {
      case (UInt8(ascii: "W"), false): days += 7 * number
      case (UInt8(ascii: "D"), false): days += number
      case (UInt8(ascii: "H"), true): seconds += 3_600 * number
      case (UInt8(ascii: "M"), true): seconds += 60 * number
      case (UInt8(ascii: "S"), true): seconds += number
      default: return nil
      }
      guard abs(days) <= Self.most / 86_400, abs(seconds) <= Self.most else { return nil }
    }
  }

  static func + (a: CalendarDistance, b: CalendarDistance) -> CalendarDistance {
    CalendarDistance(days: a.days + b.days, seconds: a.seconds + b.seconds)
  }

  /// Counts every day as 86 400 seconds.
  var secondsOnClock: Int { days * 86_400 + seconds }
}
