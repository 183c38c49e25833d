import Alarms
import EggTime
import Gettext

extension EntryRecurrence {
  /// How far ahead days off are written as dates.
  static let daysAhead = 400
  /// Dates written of one alarm: more could not be kept where they are read as plain EXDATEs.
  private static let mostQuiet = 200

  /// Writes on which days it keeps quiet: for eggd as they are, for others as EXDATEs of the next ones.
  ///
  /// - Returns: What the user should know.
  func write(
    _ rules: MomentRules, daysOff: (String) -> DaySet?, now: Instant, to content: inout ContentWriter
  ) -> String? {
    if !rules.skips.isEmpty {
      content.line("X-EGGD-SKIP:" + rules.skips.ranges.map(\.description).joined(separator: ","))
    }
    for (name, list) in [("X-EGGD-EXCEPT", rules.except), ("X-EGGD-ONLY-ON", rules.onlyOn)]
    where !list.isEmpty {
      content.line("\(name):" + list.map(ContentText.escaped).joined(separator: ","))
    }
    let off = [rules.skips] + rules.except.compactMap(daysOff)
    let dates = moments(off: off, onlyOn: rules.onlyOn.compactMap(daysOff), now: now)
    guard !dates.isEmpty else { return nil }
    let property = start.property("EXDATE;X-EGGD-QUIET=TRUE", Array(dates.prefix(Self.mostQuiet)), in: zone)
    content.line(property)
    guard dates.count > Self.mostQuiet else { return nil }
    return tr("other calendars keep quiet on the next \(Self.mostQuiet) of its days off only")
  }

  /// Its moments on days on which it keeps quiet, one more than are written at most.
  private func moments(off: [DaySet], onlyOn: [DaySet], now: Instant) -> [Instant] {
    func isQuiet(_ day: Int) -> Bool {
      off.contains { $0.last(around: day) != nil }
        || !onlyOn.isEmpty && !onlyOn.contains { $0.last(around: day) != nil }
    }
    let today = zone.civil(at: max(now, first)).dayNumber
    var moments: [Instant] = []
    for day in today..<today + Self.daysAhead where isQuiet(day) {
      var base = zone.resolve(CivilDateTime(dayNumber: day)).instant - TimeSpan(microseconds: 1)
      base = max(base, first - TimeSpan(microseconds: 1))
      let end = zone.resolve(CivilDateTime(dayNumber: day + 1)).instant
      while moments.count <= Self.mostQuiet, let next = time.next(after: base, in: zone), next < end {
        moments.append(next)
        base = next
      }
    }
    return moments
  }
}

extension Lead {
  /// As the value of a TRIGGER, with days apart from hours: `-P1D` is not `-PT24H`.
  var trigger: String {
    let time = String("\(CalendarDistance(seconds: abs(seconds) % 3_600))".dropFirst(2))
    let hours = abs(seconds) / 3_600
    let rest = (hours > 0 ? "\(hours)H" : "") + (time == "0S" ? "" : time)
    guard self != .zero else { return "PT0S" }
    return (span > .zero ? "-P" : "P") + (days == 0 ? "" : "\(abs(days))D") + (rest.isEmpty ? "" : "T" + rest)
  }
}
