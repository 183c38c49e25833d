/// How long before a moment an alarm rings: `1d 2h`, `15min`, `0s`. Days are the calendar's, whatever their length;
/// hours and less are elapsed time. Below zero (`-10min`) it rings afterwards.
public struct Lead: Hashable, Sendable {
  public let days: Int
  public let seconds: Int

  public static let zero = Lead()
  /// Either way.
  public static let longest = TimeSpan.seconds(28 * 86_400)
  /// A day on a clock is longer or shorter than 24 hours by no more than this.
  public static let slack = TimeSpan.seconds(86_400)

  private init() { (days, seconds) = (0, 0) }

  /// nil beyond ``longest``, and where days and seconds have different signs.
  public init?(days: Int = 0, seconds: Int = 0) {
    let most = Int(Self.longest.microseconds / 1_000_000)
    guard abs(days) <= most / 86_400, abs(seconds) <= most, abs(days * 86_400 + seconds) <= most,
      days.signum() * seconds.signum() >= 0
    else { return nil }
    self.days = days
    self.seconds = seconds
  }

  /// With days of 24 hours.
  public var span: TimeSpan { .seconds(Int64(days * 86_400 + seconds)) }

  /// When it rings: days before on the clock of `zone`, then seconds before that. A time in a gap moves forward, one in
  /// an overlap is the first.
  public func ring(before moment: Instant, in zone: Zone) -> Instant {
    let day = days == 0 ? moment : zone.resolve(zone.civil(at: moment).adding(days: -days)).instant
    return day - .seconds(Int64(seconds))
  }
}

extension Lead: Comparable {
  /// Of two of the same length, the one with fewer days is first.
  public static func < (a: Lead, b: Lead) -> Bool {
    (a.span, a.days) < (b.span, b.days)
  }
}

extension Lead: LosslessStringConvertible {
  private static let units = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]

  public var description: String {
    var rest = abs(seconds)
    var parts = days == 0 ? [] : ["\(abs(days))d"]
    for (name, length) in Self.units.dropFirst() where rest >= length {
      parts.append("\(rest / length)\(name)")
      rest %= length
    }
    return (span < .zero ? "-" : "") + (parts.isEmpty ? "0s" : parts.joined(separator: " "))
  }

  /// Accepts only what ``description`` writes; nil otherwise.
  public init?(_ text: String) {
    let sign = text.hasPrefix("-") ? -1 : 1
    var (days, seconds) = (0, 0)
    for word in text.drop(while: { $0 == "-" }).split(separator: " ") {
      let name = word.drop { $0.isASCII && $0.isNumber }
      guard let unit = Self.units.first(where: { $0.0 == name }), word.utf8.count < 12,
        let number = Int(word.dropLast(name.count))
      else { return nil }
      if unit.0 == "d" { days += number } else { seconds += number * unit.1 }
    }
    self.init(days: sign * days, seconds: sign * seconds)
    guard description == text else { return nil }
  }
}

extension Lead {
  /// As people write a span: `15m`, `1 day 2 hours`, `half an hour`, `하루`. nil for anything else, and beyond ``longest``.
  public init?(reading text: String) {
    guard let span = SentenceReader.span(of: Scanner(text)), span.months == 0,
      span.elapsed.microseconds % 1_000_000 == 0
    else { return nil }
    self.init(days: span.days + 7 * span.weeks, seconds: Int(span.elapsed.microseconds / 1_000_000))
  }
}
