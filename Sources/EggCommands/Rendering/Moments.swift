import EggTime
import Gettext

/// Words moments for one run of a verb: in one zone and one format, seen from one present.
struct Moments {
  let zone: Zone
  let now: Instant
  private let dates: DateStyle

  init(zone: Zone, now: Instant, dates: DateStyle = DateStyle()) {
    self.zone = zone
    self.now = now
    self.dates = dates
  }

  init(_ surroundings: Surroundings) throws {
    self.init(zone: try surroundings.zone(), now: surroundings.now(), dates: surroundings.dates)
  }

  /// For entered texts; asks eggd for day-at.
  var context: ReadingContext { ReadingContext(now: now, zone: zone, dayAt: dates.dayAt) }

  /// `2026. 11. 20. 21:41:00`.
  func text(_ instant: Instant) -> String { dates.format.text(instant, in: zone) }

  /// `2026. 11. 20. 21:41:00`, a time on a clock of any zone.
  func text(_ civil: CivilDateTime) -> String { dates.format.text(civil) }

  /// `2026. 11. 20.`
  func date(_ civil: CivilDateTime) -> String { dates.format.date(civil) }

  /// `21:41`.
  func time(_ instant: Instant) -> String {
    String(MomentFormat.dotted.text(instant, in: zone).suffix(8).prefix(5))
  }

  /// The moment, shortened to fit the list's column: `11. 20. 21:41`. Without the year, a moment more than half a
  /// year away is shown as a date with its year.
  func text(_ instant: Instant, as due: ListColumns.Due) -> String {
    guard due != .full else { return text(instant) }
    let distance = instant < now ? now - instant : instant - now
    let civil = zone.civil(at: instant)
    guard distance < .seconds(182 * 86_400) else { return date(civil) }
    return dates.format.short(civil, seconds: due == .withoutYear)
  }

  /// Cells of the list's column DUE: with all of a moment, without its year, and without seconds too.
  var dueWidths: [Int] { dates.widths }

  /// `5 min ago`; `just now` within a second.
  func ago(_ instant: Instant) -> String {
    let span = now - instant
    return span < .seconds(1) ? tr("just now") : tr("\(SpanText.left(span)) ago")
  }
}

extension SpanUnits {
  /// In the user's language.
  static let own = SpanUnits(in: tr)
}

extension SpanText {
  /// See ``left(_:in:)``.
  static func left(_ span: TimeSpan) -> String { left(span, in: .own) }

  /// All units that are not zero, of days, hours, minutes and seconds: `2 d 10 h 25 min 30 s`, `1 h 30 s`.
  ///
  /// Rounds up to a second, as ``left(_:)`` does. Negative spans are `0 s`.
  static func whole(_ span: TimeSpan) -> String {
    let seconds = span.microseconds > 0 ? (span.microseconds - 1) / 1_000_000 + 1 : 0
    let units = [
      (seconds / 86_400, SpanUnits.own.day), (seconds / 3_600 % 24, SpanUnits.own.hour),
      (seconds / 60 % 60, SpanUnits.own.minute), (seconds % 60, SpanUnits.own.second),
    ]
    return seconds == 0 ? "0\(SpanUnits.own.second)" : text(units)
  }

  /// The units that are not zero.
  fileprivate static func text(_ units: [(Int64, String)]) -> String {
    units.filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")
  }
}

extension Lead {
  /// In full, either way, days of the calendar apart from hours: `1 d`, `24 h`, `25 h 1 min`.
  var words: String {
    let (own, seconds) = (SpanUnits.own, Int64(abs(seconds)))
    return SpanText.text([
      (Int64(abs(days)), own.day), (seconds / 3_600, own.hour), (seconds / 60 % 60, own.minute),
      (seconds % 60, own.second),
    ])
  }
}
