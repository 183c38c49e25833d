import EggTime

extension RecurrenceRule {
  /// The calendar event with the same moments from `start` on, without COUNT and UNTIL; nil if there is none.
  func pattern(from start: CivilDateTime) -> RecurrencePattern? {
    guard yearDays == nil, weeks == nil else { return nil }
    var pattern = RecurrencePattern()
    pattern.seconds = seconds ?? (frequency > .secondly ? [start.second] : nil)
    pattern.minutes = minutes ?? (frequency > .minutely ? [start.minute] : nil)
    pattern.hours = hours ?? (frequency > .hourly ? [start.hour] : nil)
    pattern.months = months
    guard step(&pattern, from: start) else { return nil }
    switch frequency {
    case .secondly, .minutely, .hourly, .daily, .weekly:
      guard places == nil, limit(&pattern, toMonthDays: monthDays) else { return nil }
      let own = frequency == .weekly ? [start.weekday.rawValue] : nil
      RecurrencePattern.limit(&pattern.weekdays, to: days.map { Set($0.map(\.weekday)) } ?? own.map(Set.init))
    case .monthly, .yearly:
      if frequency == .yearly, monthDays == nil, days == nil, months == nil {
        RecurrencePattern.limit(&pattern.months, to: [start.month])
      }
      let given = monthDays ?? (days == nil ? [start.day] : nil)
      guard limit(&pattern, toMonthDays: given), limitToDays(&pattern) else { return nil }
    }
    return pattern
  }

  /// Applies INTERVAL; false if the pattern cannot. One that divides the next unit becomes a list of values; a
  /// multiple of the next unit becomes a step of that.
  private func step(_ pattern: inout RecurrencePattern, from start: CivilDateTime) -> Bool {
    var unit = frequency
    var rest = interval
    func taken(_ whole: Int, _ now: Int, _ values: Range<Int>, next: Frequency) -> Set<Int>? {
      if whole % rest == 0 {
        defer { rest = 1 }
        return Set(values.filter { ($0 - now) % rest == 0 })
      }
      guard rest % whole == 0 else { return nil }
      unit = next
      rest = rest / whole
      return [now]
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
        guard rest % 7 == 0 else { return false }
        values = [start.weekday.rawValue]
        RecurrencePattern.limit(&pattern.weekdays, to: values)
        unit = .weekly
        rest = rest / 7
      case .weekly: return false
      case .monthly:
        values = taken(12, start.month, 1..<13, next: .yearly)
        RecurrencePattern.limit(&pattern.months, to: values)
      case .yearly:
        let first = max(start.year, 1970 + (start.year % rest + rest - 1970 % rest) % rest)
        guard first <= 2199 else { return false }
        values = []
        pattern.years = (first, first + rest <= 2199 ? rest : 0)
        rest = 1
      }
      guard values != nil else { return false }
    }
    return true
  }

  private func limit(_ pattern: inout RecurrencePattern, toMonthDays given: Set<Int>?) -> Bool {
    guard let given else { return true }
    if given.allSatisfy({ $0 > 0 }) {
      pattern.days = given
    } else if given.allSatisfy({ (-28 ... -1).contains($0) }) {
      pattern.days = Set(given.map { -$0 })
      pattern.daysFromEnd = true
    } else {
      // From both ends of the month.
      return false
    }
    return true
  }

  /// BYDAY of a month or a year.
  private func limitToDays(_ pattern: inout RecurrencePattern) -> Bool {
    guard let days = placedDays() else { return days == nil && places == nil }
    let ordinals = Set(days.map(\.ordinal))
    pattern.weekdays = Set(days.map(\.weekday))
    if ordinals == [0] { return true }
    // Every day with the same numbers.
    let each = Dictionary(grouping: days, by: \.weekday).values.map { Set($0.map(\.ordinal)) }
    guard each.allSatisfy({ $0 == ordinals }), !ordinals.contains(0) else { return false }
    let isFromEnd = ordinals.allSatisfy { $0 < 0 }
    let isOfYear = frequency == .yearly && months == nil
    guard isFromEnd || ordinals.allSatisfy({ $0 > 0 }),
      ordinals.allSatisfy({ abs($0) <= (isFromEnd || isOfYear ? 4 : 5) }),
      monthDays == nil || frequency == .monthly && pattern.daysFromEnd == isFromEnd
    else { return false }
    if isOfYear { RecurrencePattern.limit(&pattern.months, to: [isFromEnd ? 12 : 1]) }
    let window = ordinals.flatMap { (abs($0) * 7 - 6)...min(abs($0) * 7, 31) }
    RecurrencePattern.limit(&pattern.days, to: Set(window))
    pattern.daysFromEnd = isFromEnd
    return true
  }

  /// BYDAY with BYSETPOS applied: the second of all Tuesdays is the second Tuesday. nil without BYDAY, and if
  /// BYSETPOS picks from more than that.
  private func placedDays() -> [Day]? {
    guard let places else { return days }
    guard let days, days.count == 1, days[0].ordinal == 0, monthDays == nil,
      frequency == .monthly || (months?.count ?? 1) == 1, places.allSatisfy({ abs($0) <= 5 }),
      [seconds, minutes, hours].allSatisfy({ ($0?.count ?? 1) == 1 })
    else { return nil }
    return places.map { Day(ordinal: $0, weekday: days[0].weekday) }
  }
}
