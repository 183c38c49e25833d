import Alarms
import EggTime

/// The days on which a recurring alarm keeps quiet. Alarms that name one calendar share its set.
package struct QuietDays: Hashable, Sendable {
  private let off: [DaySet]
  private let onlyOn: [DaySet]

  package static let none = QuietDays()

  /// - Parameters:
  ///   - off: It keeps quiet on all of these.
  ///   - onlyOn: It keeps quiet on all others; without any, on none of them.
  package init(off: [DaySet] = [], onlyOn: [DaySet] = []) {
    self.off = off.filter { !$0.isEmpty }
    self.onlyOn = onlyOn
  }

  /// Of an alarm. A name that another program has taken away has no effect.
  package init(_ rules: MomentRules, daysOff: (String) -> DaySet?) {
    self.init(off: [rules.skips] + rules.except.compactMap(daysOff), onlyOn: rules.onlyOn.compactMap(daysOff))
  }

  /// The moment itself on a day that is not quiet, else the beginning of the next such day; nil where none follows.
  func firstDay(from moment: Instant, in zone: Zone) -> Instant? {
    guard !off.isEmpty || !onlyOn.isEmpty else { return moment }
    let day = zone.civil(at: moment).dayNumber
    guard let first = firstDay(from: day) else { return nil }
    return first == day ? moment : zone.resolve(CivilDateTime(dayNumber: first)).instant
  }

  private func firstDay(from first: Int) -> Int? {
    var day = first
    while true {
      if !onlyOn.isEmpty {
        guard let next = onlyOn.compactMap({ $0.first(from: day) }).min() else { return nil }
        day = next
      }
      guard let last = off.compactMap({ $0.last(around: day) }).max() else { return day }
      day = last + 1
    }
  }
}
