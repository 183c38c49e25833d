import EggTime
import Gettext

/// The days off of a calendar: the days that its events take up as a whole.
///
/// An event of whole days takes the days up to its DTEND, which it leaves out. An event with times takes the days that
/// it fills from midnight to midnight on its own clock; 23:59 at its end counts as midnight. One that fills none is a
/// problem: a dentist's appointment must not keep the day's alarms quiet. Cancelled events and to-dos are left out.
package struct CalendarDays {
  /// Ascending and apart.
  package let ranges: [DayRange]
  /// In the order of the file: events of which nothing is in ``ranges``, and occurrences that are left as they were.
  package let problems: [CalendarProblem]

  private static let yearsAhead = 30

  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - first: Days before it are left out.
  ///   - context: Its zone matters only where an event begins on one clock and ends on another.
  package static func read(
    _ bytes: [UInt8], from first: CivilDate, in context: ReadingContext
  ) -> CalendarDays {
    let end = CivilDateTime(year: first.year + yearsAhead, month: first.month, day: first.day)
    let window = first.dayNumber..<end.dayNumber
    let findings = CalendarComponents.read(bytes, in: context) { (draft, timing) throws(CalendarProblem) in
      try timing.days(of: draft, within: window)
    }
    var days: [DayRange] = []
    var problems: [CalendarProblem] = []
    for finding in findings {
      switch finding {
      case .success(let found): days += found
      case .failure(let problem): problems.append(problem)
      }
    }
    return CalendarDays(ranges: DaySet(days).ranges, problems: problems)
  }
}

extension EntryTiming {
  /// The days that an event takes up within some days, which are counted from 1970-01-01.
  fileprivate mutating func days(
    of draft: EntryDraft, within window: Range<Int>
  ) throws(CalendarProblem) -> [DayRange] {
    guard !draft.isToDo, !draft.isOff else { return [] }
    if let property = draft[.excludedRule] {
      throw property.problem(tr("EXRULE is no longer part of iCalendar; leave dates out with EXDATE"))
    }
    guard let property = draft[.start] else {
      throw CalendarProblem(line: draft.line, message: tr("it has no DTSTART"))
    }
    let start = try moment(property)
    let length = try length(of: draft, from: start).secondsOnClock
    guard start.isDay || length >= Self.wholeDay else {
      throw property.problem(tr("it takes up no whole day"))
    }
    var days: [DayRange] = []
    if draft.recurs {
      var changed = EntryExceptions()
      for override in draft.overrides {
        do throws(CalendarProblem) {
          try override.check()
          guard let property = override[.recurrence] else { continue }
          changed.excluded.insert(try original(of: property, start))
          days += try self.days(of: override, within: window)
        } catch {
          problems.append(override.named(error))
        }
      }
      var draft = draft
      draft.overrides = []
      var exceptions = try exceptions(of: draft, start: start)
      exceptions.excluded.formUnion(changed.excluded)
      let rule = try rule(of: draft)
      let set = try set(rule, exceptions, draft, start: start, shift: 0)
      days += self.days(of: set, length, in: start.zone ?? .utc, within: window)
    } else if let range = Self.days(from: start.civil, length, within: window) {
      days.append(range)
    }
    return days
  }

  /// The shortest event that can fill a day, in seconds: to 23:59.
  private static var wholeDay: Int { 86_340 }

  /// One occurrence a day is enough, as it lasts a day or longer.
  private func days(
    of set: RecurrenceSet, _ length: Int, in zone: Zone, within window: Range<Int>
  ) -> [DayRange] {
    var days: [DayRange] = []
    var base = zone.resolve(CivilDateTime(dayNumber: window.lowerBound - length / 86_400 - 1)).instant
    while let next = set.next(after: base - TimeSpan(microseconds: 1), in: zone) {
      let civil = zone.civil(at: next)
      guard civil.dayNumber < window.upperBound else { break }
      if let range = Self.days(from: civil, length, within: window) { days.append(range) }
      base = zone.resolve(CivilDateTime(dayNumber: civil.dayNumber + 1)).instant
    }
    return days
  }

  /// The whole days of one occurrence; a date without an end is one day.
  private static func days(from start: CivilDateTime, _ length: Int, within window: Range<Int>) -> DayRange? {
    func day(_ seconds: Int) -> Int {
      CivilDateTime(secondsOnClock: start.secondsOnClock + seconds).dayNumber
    }
    let first = day(86_399)
    let end = day(max(length, wholeDay) + 86_400 - wholeDay)
    let days = (first..<max(first, end)).clamped(to: window)
    guard let last = days.last else { return nil }
    return DayRange(CivilDate(dayNumber: days.lowerBound), through: CivilDate(dayNumber: last))
  }
}
