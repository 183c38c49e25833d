/// A duration on a clock: RFC 5545 §3.3.6. Days are calendar days, whatever their length.
public struct CalendarDistance: Hashable, Sendable {
  public var days = 0
  public var seconds = 0

  public static let zero = CalendarDistance()
  /// A hundred years; longer durations are refused.
  private static let most = 36_525 * 86_400

  public init(days: Int = 0, seconds: Int = 0) { (self.days, self.seconds) = (days, seconds) }

  /// Whole days and the rest, both of the same sign.
  public init(secondsOnClock: Int) {
    (days, seconds) = secondsOnClock.quotientAndRemainder(dividingBy: 86_400)
  }

  /// Reads `P1W`, `-P1DT2H`, `PT15M`; nil for anything else, and for more than a hundred years.
  public init?(_ text: some StringProtocol) {
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

  public static func + (a: CalendarDistance, b: CalendarDistance) -> CalendarDistance {
    CalendarDistance(days: a.days + b.days, seconds: a.seconds + b.seconds)
  }

  public static func - (a: CalendarDistance, b: CalendarDistance) -> CalendarDistance {
    CalendarDistance(days: a.days - b.days, seconds: a.seconds - b.seconds)
  }

  /// Counts every day as 86 400 seconds.
  public var secondsOnClock: Int { days * 86_400 + seconds }
}

extension CalendarDistance: CustomStringConvertible {
  /// `-P1DT2H`, `PT15M`, `PT0S`. Days and seconds have the same sign here.
  public var description: String {
    let whole = CalendarDistance(secondsOnClock: secondsOnClock)
    let (days, seconds) = (abs(whole.days), abs(whole.seconds))
    let parts = [(seconds / 3_600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
    let time = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    guard days > 0 || !time.isEmpty else { return "PT0S" }
    return (secondsOnClock < 0 ? "-P" : "P") + (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T" + time)
  }
}
