import EggTime
import Gettext

/// Words moments for one run of a verb: in one zone and one format, seen from one present.
struct Moments {
  let zone: Zone
  let now: Instant
  private let dates: DateStyle

  init(zone: Zone, now: Instant, dates: DateStyle = DateStyle { .dotted }) {
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
    String(DisplayFormat.text(instant, in: zone).suffix(8).prefix(5))
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

  /// `5 min ago`; `now` within a second.
  func ago(_ instant: Instant) -> String {
    let span = now - instant
    return span < .seconds(1) ? tr("now") : tr("\(SpanText.left(span)) ago")
  }
}
