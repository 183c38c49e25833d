import EggTime

/// An alarm to schedule for an occasion.
public struct AnniversaryPlan: Hashable, Sendable {
  /// Recurring birthdays have no age.
  public let occasion: AnniversaryOccasion
  /// A time expression without a zone, to be read as ``kind``.
  public let expression: String
  /// `at` for single occasions, `every` for birthdays.
  public let kind: Timing.Kind

  /// The parsed expression, in a zone; nil only for an expression that ``Anniversary`` did not write.
  public func timing(zone: String, floats: Bool) -> Timing? {
    switch kind {
    case .in: nil
    case .at: CivilDateTime(expression).map { .civil($0, zone: zone, floats: floats) }
    case .every:
      CalendarEvent(expression).map { .every(.event($0), zone: zone, floats: floats) }
        ?? RecurrenceSet(expression).map { .every(.rule($0), zone: zone, floats: floats) }
    }
  }
}

extension Anniversary {
  /// The alarms for all occasions to come: the 100th day and the first birthday if they lie ahead, then all
  /// later birthdays. `isAhead` tells whether a civil time is still to come; `today` is the present day.
  ///
  /// While the first birthday lies ahead, the recurring alarm begins a year after it, so that no day rings
  /// twice. With ``LeapDay/march1`` someone born on a leap day gets two recurring alarms: one for leap years,
  /// one for the others. Lunar birthdays are a list of dates, to the end of what is known.
  public func plans(
    at time: CivilDateTime, leapDay: LeapDay, today: CivilDateTime, isAhead: (CivilDateTime) -> Bool
  ) -> [AnniversaryPlan] {
    var plans: [AnniversaryPlan] = []
    func addIfAhead(_ occasion: AnniversaryOccasion, on day: CivilDateTime) -> Bool {
      let moment = TimeOfDay(time).on(day)
      guard isAhead(moment) else { return false }
      plans.append(AnniversaryPlan(occasion: occasion, expression: moment.description, kind: .at))
      return true
    }
    _ = addIfAhead(.hundredthDay, on: hundredthDay)
    let first = birthday(in: yearOfBirth + 1, leapDay: leapDay)
    let isFirstAhead = addIfAhead(.firstBirthday, on: first)
    if let lunar {
      let earliest = isFirstAhead ? yearOfBirth + 2 : max(yearOfBirth + 1, year(of: today))
      if let set = lunar.birthdays(from: earliest, at: time, isAhead: isAhead) {
        plans.append(
          AnniversaryPlan(occasion: .birthday(age: nil), expression: set.description, kind: .every))
      }
      return plans
    }
    for dates in recurringDates(from: isFirstAhead ? first.year + 1 : nil, leapDay: leapDay, today: today) {
      plans.append(
        AnniversaryPlan(
          occasion: .birthday(age: nil), expression: "\(dates) \(time.description.suffix(8))", kind: .every))
    }
    return plans
  }

  /// Birthdays as calendar events without a time, from a year on; nil for all to come.
  private func recurringDates(from year: Int?, leapDay: LeapDay, today: CivilDateTime) -> [String] {
    let years = year.map { "\($0)..\(CalendarEvent.years.upperBound)" } ?? "*"
    guard isLeapDay else { return [years + birth.description.dropFirst(4)] }
    switch leapDay {
    case .february28:
      // The last day of February: the 29th in leap years.
      return [years + "-02~01"]
    case .march1:
      let start = year ?? today.year
      // Every fourth year, and the centuries that are no leap years.
      let every4th = start + (4 - start % 4) % 4
      let others = (start..<start + 4).filter { $0 != every4th }.map { "\($0)/4" }
      let centuries = (start...CalendarEvent.years.upperBound)
        .filter { $0 % 4 == 0 && CivilDateTime.days(in: 2, of: $0) == 28 }.map(String.init)
      return ["\(every4th)/4-02-29", (others + centuries).joined(separator: ",") + "-03-01"]
    }
  }
}

extension LunarDate {
  /// All birthdays that lie ahead, as a list of dates; nil if none is known.
  fileprivate func birthdays(
    from year: Int, at time: CivilDateTime, isAhead: (CivilDateTime) -> Bool
  ) -> RecurrenceSet? {
    guard year <= Self.years.upperBound else { return nil }
    let dates = (year...Self.years.upperBound).compactMap { celebrated(in: $0) }
      .map { TimeOfDay(time).on($0) }.filter(isAhead)
    guard let first = dates.first else { return nil }
    return try? RecurrenceSet(start: first, rule: nil, dates: Array(dates.dropFirst()))
  }
}
