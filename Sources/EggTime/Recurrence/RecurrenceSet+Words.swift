import Gettext

extension RecurrenceSet {
  /// See ``RecurringTime/words(in:)``. A rule too complex for words is its text.
  ///
  /// - Parameter zone: With a blank before it, or empty.
  func words(in wording: @escaping Wording, zone: String = "") -> String {
    guard let rule else {
      let moments = Set(dates + [start]).filter { moment in
        !excluded.contains { $0.isDay ? $0.civil.dayNumber == moment.dayNumber : $0.civil == moment }
      }
      if moments.count == 1, let only = moments.first { return wording("once, on \(only)") + zone }
      return wording("on \(moments.count) dates") + zone
    }
    var text =
      plain?.words(in: wording)
      ?? wording("by the rule \(rule)") + (zoneName.map { " \($0)" } ?? "")
    text += zone
    if dates.count == 1 { text = wording("\(text), and on one more date") }
    if dates.count > 1 { text = wording("\(text), and on \(dates.count) more dates") }
    if excluded.count == 1 { text = wording("\(text), except on one date") }
    if excluded.count > 1 { text = wording("\(text), except on \(excluded.count) dates") }
    return text
  }

  /// The interval with the same words; nil where none has them.
  private var plain: RecurringInterval? {
    let first = CivilDateTime(secondsOnClock: start.secondsOnClock + lead.secondsOnClock)
    guard first.dayNumber == start.dayNumber, let step = rule?.step(from: start) else { return nil }
    return RecurringInterval(step, from: first, zoneName: zoneName)
  }
}
