/// Finds the times of a rule, without COUNT and UNTIL. All times are seconds on the rule's clock, see
/// ``CivilDateTime/secondsOnClock``.
///
/// A rule walks through periods of its FREQ, `interval` at a time. In each it names a set of times, of which
/// BYSETPOS picks some. The search ends with the year 2199, as that of a calendar event does: it takes some
/// milliseconds at most.
struct RuleSearch: Sendable {
  let start: Int
  private let rule: RecurrenceRule
  private let days: RuleDays
  /// The times within a period: of a day, or of the hour, minute or second that a shorter FREQ names.
  private let times: ClockTimes
  /// FREQ below a day: the seconds of a period.
  private let unit: Int?
  /// FREQ below a day: the times of day at which a period may begin.
  private let begins: ClockTimes
  /// Whether INTERVAL meets one of those, and BYSETPOS one of the times. Otherwise the search would try every
  /// period.
  private var isReachable = true

  private static let end = CivilDateTime(year: CalendarEvent.years.upperBound + 1, month: 1, day: 1).dayNumber

  init(_ rule: RecurrenceRule, from start: CivilDateTime) {
    self.start = start.secondsOnClock
    self.rule = rule
    days = RuleDays(rule, from: start)
    let zero = Set([0])
    let frequency = rule.frequency
    times = ClockTimes(
      frequency > .hourly ? rule.hours ?? [start.hour] : zero,
      frequency > .minutely ? rule.minutes ?? [start.minute] : zero,
      frequency > .secondly ? rule.seconds ?? [start.second] : zero)
    begins = ClockTimes(
      rule.hours ?? Set(0...23), frequency < .hourly ? rule.minutes ?? Set(0...59) : zero,
      frequency < .minutely ? rule.seconds ?? Set(0...59) : zero)
    unit =
      switch frequency {
      case .secondly: 1
      case .minutely: 60
      case .hourly: 3_600
      default: nil
      }
    if let unit { isReachable = isReached(unit: unit) }
  }

  /// The first time from `earliest` on; nil when there is none.
  func first(from earliest: Int) -> Int? {
    let earliest = max(earliest, start)
    guard isReachable else { return nil }
    return unit.map { first(from: earliest, unit: $0) } ?? firstByDays(from: earliest)
  }

  private func firstByDays(from earliest: Int) -> Int? {
    let (today, time) = Int.floorDivide(earliest, 86_400)
    var index = index(ofDay: today).rounded(upTo: rule.interval)
    while true {
      var period = daysOfPeriod(index)
      guard period.lowerBound < Self.end else { return nil }
      let possible = days.firstInMonths(from: period.lowerBound)
      if possible >= period.upperBound {
        index = self.index(ofDay: possible).rounded(upTo: rule.interval)
        continue
      }
      if rule.places != nil {
        let named = period.filter(days.contains)
        let found = placed(named.count * times.count, from: earliest) { rank in
          named[rank / times.count] * 86_400 + times[rank % times.count]
        }
        if let found { return found }
      } else {
        period = max(period.lowerBound, min(today, period.upperBound))..<period.upperBound
        for day in period where days.contains(day) {
          if let found = times.first(from: day == today ? time : 0) { return day * 86_400 + found }
        }
      }
      index += rule.interval
    }
  }

  private func first(from earliest: Int, unit: Int) -> Int? {
    let perDay = 86_400 / unit
    let first = Int.floorDivide(start, unit).quotient
    func aligned(_ period: Int) -> Int { first + (period - first).rounded(upTo: rule.interval) }
    var period = aligned(Int.floorDivide(earliest, unit).quotient)
    while true {
      let (day, passed) = Int.floorDivide(period, perDay)
      guard day < Self.end else { return nil }
      let possible = days.firstInMonths(from: day)
      if possible > day || !days.contains(day) {
        period = aligned(max(possible, day + 1) * perDay)
      } else if let begin = begins.first(from: passed * unit) {
        guard begin == passed * unit else {
          period = aligned(day * perDay + begin / unit)
          continue
        }
        let begin = period * unit
        if rule.places != nil {
          if let found = placed(times.count, from: earliest, { begin + times[$0] }) { return found }
        } else if let found = times.first(from: max(0, earliest - begin)) {
          return begin + found
        }
        period += rule.interval
      } else {
        period = aligned((day + 1) * perDay)
      }
    }
  }

  private func isReached(unit: Int) -> Bool {
    var (step, rest) = (rule.interval, 86_400 / unit)
    while rest > 0 { (step, rest) = (rest, step % rest) }
    let first = Int.floorDivide(start, unit).quotient
    if let places = rule.places, !places.contains(where: { abs($0) <= times.count }) { return false }
    return step == 1 || (0..<begins.count).contains { (begins[$0] / unit - first) % step == 0 }
  }

  /// The earliest of the set's times that BYSETPOS picks.
  private func placed(_ count: Int, from earliest: Int, _ time: (Int) -> Int) -> Int? {
    let ranks = (rule.places ?? []).map { $0 > 0 ? $0 - 1 : count + $0 }.filter { 0..<count ~= $0 }
    return ranks.map(time).filter { $0 >= earliest }.min()
  }
}

extension RuleSearch {
  /// The period that holds a day; that of the start is 0.
  private func index(ofDay day: Int) -> Int {
    let first = Int.floorDivide(start, 86_400).quotient
    switch rule.frequency {
    case .weekly: return (firstOfWeek(day) - firstOfWeek(first)) / 7
    case .monthly: return CivilDateTime(dayNumber: day).months - CivilDateTime(dayNumber: first).months
    case .yearly: return CivilDateTime(dayNumber: day).year - CivilDateTime(dayNumber: first).year
    default: return day - first
    }
  }

  private func daysOfPeriod(_ index: Int) -> Range<Int> {
    let first = Int.floorDivide(start, 86_400).quotient
    switch rule.frequency {
    case .weekly:
      let begin = firstOfWeek(first) + 7 * index
      return begin..<begin + 7
    case .monthly:
      let month = CivilDateTime(dayNumber: first).months + index
      return firstOfMonth(month)..<firstOfMonth(month + 1)
    case .yearly:
      let year = CivilDateTime(dayNumber: first).year + index
      return firstOfMonth(year * 12)..<firstOfMonth(year * 12 + 12)
    default: return first + index..<first + index + 1
    }
  }

  private func firstOfWeek(_ day: Int) -> Int {
    day - (Weekday(dayNumber: day).rawValue - rule.firstWeekday + 7) % 7
  }

  /// Months are counted from January of the year 0.
  private func firstOfMonth(_ month: Int) -> Int {
    CivilDateTime(year: month / 12, month: month % 12 + 1, day: 1).dayNumber
  }
}
