import EggProtocol
import EggTime
import Gettext

/// Words for what an alarm makes of the moments of its time.
extension Moments {
  private var days: TimeWords { TimeWords(in: tr) }

  /// `Mon 07:30`; from a week on `Mon 4 Jan 07:30`.
  func weekday(_ instant: Instant) -> String {
    let civil = zone.civil(at: instant)
    let today = zone.civil(at: now)
    let day = days.name(civil.weekday)
    guard !(0..<7).contains(civil.dayNumber - today.dayNumber), let date = CivilDate(civil) else {
      return "\(day) \(time(instant))"
    }
    let name = tr(Phrase("\(day) \(days.date(date, today: today.dayNumber))", context: "weekday and date"))
    return "\(name) \(time(instant))"
  }

  /// `for 14:30`, for a ring before the alarm's own moment; with the day if that is another. nil for other rings.
  func thing(due: Instant?, moment: Instant?) -> String? {
    guard let due, let moment, moment != due else { return nil }
    let isSameDay = zone.civil(at: moment).dayNumber == zone.civil(at: due).dayNumber
    return tr("for \(isSameDay ? time(moment) : weekday(moment))")
  }

  /// `skips 24 Dec – 1 Jan`, the days to come; nil if there are none.
  func skips(_ ranges: [DayRange]?) -> String? {
    guard let ranges, !ranges.isEmpty else { return nil }
    let today = zone.civil(at: now)
    let left = ranges.filter { $0.days.upperBound >= today.dayNumber }
    guard !left.isEmpty else { return nil }
    let shown = left.prefix(3).map { days.days($0, today: today.dayNumber) }.joined(separator: ", ")
    return left.count > 3 ? tr("skips \(shown) and \(left.count - 3) more") : tr("skips \(shown)")
  }

  /// `24 Dec – 1 Jan`
  func text(_ range: DayRange) -> String { days.days(range, today: zone.civil(at: now).dayNumber) }

  /// `24 Dec`
  func text(_ date: CivilDate) -> String { days.date(date, today: zone.civil(at: now).dayNumber) }

  /// `1 d and 15 min before, at the moment`
  func leads(_ leads: [Lead]) -> String? {
    let before = leads.filter { $0 > .zero }.reversed().map(\.words)
    let after = leads.filter { $0 < .zero }.reversed().map(\.words)
    let parts = [
      before.isEmpty ? nil : tr("\(before.list) before"), leads.contains(.zero) ? tr("at the moment") : nil,
      after.isEmpty ? nil : tr("\(after.list) after"),
    ].compactMap(\.self)
    return leads.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// `15 min before, at the moment, except holidays`
  func text(_ said: MomentWords) -> String {
    [said.withMoment.flatMap(leads), daysOff(except: said.except, onlyOn: said.onlyOn)]
      .compactMap(\.self).joined(separator: ", ")
  }

  /// `except holidays`; nil if none are named.
  func daysOff(except: [String]?, onlyOn: [String]?) -> String? {
    func list(_ names: [String]?) -> String? { names.flatMap { $0.isEmpty ? nil : $0.map(\.visible).list } }
    let parts = [list(except).map { tr("except \($0)") }, list(onlyOn).map { tr("only on \($0)") }]
      .compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
