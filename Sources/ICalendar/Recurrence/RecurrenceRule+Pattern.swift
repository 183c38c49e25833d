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
    func limit(_ field: inout Set<Int>?, to now: Int, of values: Range<Int>, next: Frequency) -> Bool {
      var named: Set = [now]
      if values.count % rest == 0 {
        named = Set(values.filter { ($0 - now) % rest == 0 })
        rest = 1
      } else {
        guard rest % values.count == 0 else { return false }
        unit = next
        rest = rest / values.count
      }
      RecurrencePattern.limit(&field, to: named)
      return true
    }
    while rest > 1 {
      var isPossible = true
      switch unit {
      case .secondly: isPossible = limit(&pattern.seconds, to: start.second, of: 0..<60, next: .minutely)
      case .minutely: isPossible = limit(&pattern.minutes, to: start.minute, of: 0..<60, next: .hourly)
      case .hourly: isPossible = limit(&pattern.hours, to: start.hour, of: 0..<24, next: .daily)
      case .daily:
        guard rest % 7 == 0 else { return false }
        RecurrencePattern.limit(&pattern.weekdays, to: [start.weekday.rawValue])
        unit = .weekly
        rest = rest / 7
      case .weekly: return false
      case .monthly: isPossible = limit(&pattern.months, to: start.month, of: 1..<13, next: .yearly)
      case .yearly:
        let first = max(start.year, 1970 + (start.year % rest + rest - 1970 % rest) % rest)
        guard first <= 2199 else { return false }
        pattern.years = (first, first + rest <= 2199 ? rest : 0)
        rest = 1
      }
      guard isPossible else { return false }
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
