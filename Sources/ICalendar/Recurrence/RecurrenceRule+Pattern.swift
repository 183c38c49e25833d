import EggTime
import Gettext

extension RecurrenceRule {
  /// The calendar event with the same moments from `start` on. Throws if there is none.
  func pattern(from start: CivilDateTime) throws(RuleProblem) -> RecurrencePattern {
    var pattern = RecurrencePattern()
    pattern.seconds = seconds ?? (frequency > .secondly ? [start.second] : nil)
    pattern.minutes = minutes ?? (frequency > .minutely ? [start.minute] : nil)
    pattern.hours = hours ?? (frequency > .hourly ? [start.hour] : nil)
    pattern.months = months
    try step(&pattern, from: start)
    switch frequency {
    case .secondly, .minutely, .hourly, .daily:
      try limit(&pattern, toMonthDays: monthDays)
      RecurrencePattern.limit(&pattern.weekdays, to: try plainDays())
    case .weekly:
      guard monthDays == nil else { throw RuleProblem(tr("FREQ=WEEKLY does not allow BYMONTHDAY")) }
      RecurrencePattern.limit(&pattern.weekdays, to: try plainDays() ?? [start.weekday.rawValue])
    case .monthly, .yearly:
      if frequency == .yearly, monthDays == nil, days == nil, months == nil {
        RecurrencePattern.limit(&pattern.months, to: [start.month])
      }
      let given = monthDays ?? (days == nil ? [start.day] : nil)
      try limit(&pattern, toMonthDays: given)
      try limitToDays(&pattern)
    }
    return pattern
  }

  /// Applies INTERVAL. One that divides the next unit becomes a list of values; a multiple of the next unit
  /// becomes a step of that.
  private func step(_ pattern: inout RecurrencePattern, from start: CivilDateTime) throws(RuleProblem) {
    var unit = frequency
    var rest = interval
    func taken(_ whole: Int, _ now: Int, _ values: Range<Int>, next: Frequency) -> Set<Int>? {
      if whole % rest == 0 {
        defer { rest = 1 }
        return Set(values.filter { ($0 - now) % rest == 0 })
      }
      guard rest % whole == 0 else { return nil }
      (unit, rest) = (next, rest / whole)
      return [now]
    }
    func refusal() -> RuleProblem {
      RuleProblem(
        tr("alarms cannot follow this form of 'every \(interval) \(frequency.unit)s'"))
    }
    while rest > 1 {
      let values: Set<Int>?
      switch unit {
      case .secondly:
        values = taken(60, start.second, 0..<60, next: .minutely)
        RecurrencePattern.limit(&pattern.seconds, to: values)
      case .minutely:
        values = taken(60, start.minute, 0..<60, next: .hourly)
        RecurrencePattern.limit(&pattern.minutes, to: values)
      case .hourly:
        values = taken(24, start.hour, 0..<24, next: .daily)
        RecurrencePattern.limit(&pattern.hours, to: values)
      case .daily:
        guard rest % 7 == 0 else { throw refusal() }
        values = [start.weekday.rawValue]
        RecurrencePattern.limit(&pattern.weekdays, to: values)
        (unit, rest) = (.weekly, rest / 7)
      case .weekly: throw refusal()
      case .monthly:
        values = taken(12, start.month, 1..<13, next: .yearly)
        RecurrencePattern.limit(&pattern.months, to: values)
      case .yearly:
        let first = max(start.year, 1970 + (start.year % rest + rest - 1970 % rest) % rest)
        values = []
        guard first <= 2199 else { throw refusal() }
        pattern.years = (first, first + rest <= 2199 ? rest : 0)
        rest = 1
      }
      guard values != nil else { throw refusal() }
    }
  }

  private func limit(_ pattern: inout RecurrencePattern, toMonthDays given: Set<Int>?) throws(RuleProblem) {
    guard let given else { return }
    if given.allSatisfy({ $0 > 0 }) {
      pattern.days = given
    } else if given.allSatisfy({ (-28 ... -1).contains($0) }) {
      pattern.days = Set(given.map { -$0 })
      pattern.daysFromEnd = true
    } else {
      throw RuleProblem(
        tr(
          "BYMONTHDAY from both ends of the month, or more than 28 days from its end, is not a calendar event"
        ))
    }
  }

  /// BYDAY without ordinals.
  private func plainDays() throws(RuleProblem) -> Set<Int>? {
    guard let days else { return try refusePlaces() }
    guard days.allSatisfy({ $0.ordinal == 0 }) else {
      throw RuleProblem(tr("FREQ=\(frequency.rawValue.uppercased()) does not allow numbers in BYDAY"))
    }
    _ = try refusePlaces()
    return Set(days.map(\.weekday))
  }

  /// BYDAY of a month or a year.
  private func limitToDays(_ pattern: inout RecurrencePattern) throws(RuleProblem) {
    let days = try placedDays()
    guard let days else { return }
    let ordinals = Set(days.map(\.ordinal))
    pattern.weekdays = Set(days.map(\.weekday))
    if ordinals == [0] { return }
    let each = Dictionary(grouping: days, by: \.weekday).values.map { Set($0.map(\.ordinal)) }
    guard each.allSatisfy({ $0 == ordinals }), !ordinals.contains(0) else {
      throw RuleProblem(tr("BYDAY with different numbers for different days is more than one calendar event"))
    }
    let isFromEnd = ordinals.allSatisfy { $0 < 0 }
    let isOfYear = frequency == .yearly && months == nil
    guard isFromEnd || ordinals.allSatisfy({ $0 > 0 }),
      ordinals.allSatisfy({ abs($0) <= (isFromEnd || isOfYear ? 4 : 5) })
    else { throw RuleProblem(tr("BYDAY with these numbers is not a calendar event")) }
    guard monthDays == nil || frequency == .monthly && pattern.daysFromEnd == isFromEnd else {
      throw RuleProblem(tr("BYDAY with numbers and this BYMONTHDAY is not a calendar event"))
    }
    if isOfYear { RecurrencePattern.limit(&pattern.months, to: [isFromEnd ? 12 : 1]) }
    let window = ordinals.flatMap { (abs($0) * 7 - 6)...min(abs($0) * 7, 31) }
    RecurrencePattern.limit(&pattern.days, to: Set(window))
    pattern.daysFromEnd = isFromEnd
  }

  /// BYDAY with BYSETPOS applied: the second of all Tuesdays is the second Tuesday.
  private func placedDays() throws(RuleProblem) -> [Day]? {
    guard let places, let days, days.count == 1, days[0].ordinal == 0, monthDays == nil,
      frequency == .monthly || (months?.count ?? 1) == 1, places.allSatisfy({ abs($0) <= 5 }),
      [seconds, minutes, hours].allSatisfy({ ($0?.count ?? 1) == 1 })
    else {
      _ = try refusePlaces()
      return days
    }
    return places.map { Day(ordinal: $0, weekday: days[0].weekday) }
  }

  private func refusePlaces() throws(RuleProblem) -> Set<Int>? {
    guard places == nil else {
      throw RuleProblem(
        tr("alarms cannot pick days from a list (BYSETPOS)"))
    }
    return nil
  }
}

extension RecurrenceRule.Frequency {
  /// `day` for `daily`.
  fileprivate var unit: String {
    self == .daily ? "day" : String(rawValue.dropLast(2))
  }
}
