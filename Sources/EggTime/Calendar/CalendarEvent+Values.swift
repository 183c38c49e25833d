extension CalendarEvent {
  /// The named values of each place, ascending; nil means any.
  public struct Values: Equatable, Sendable {
    /// Monday first.
    public var weekdays: [Weekday]?
    /// 1970 to 2199.
    public var years: [Int]?
    /// 1 to 12.
    public var months: [Int]?
    /// 1 to 31; 1 to 28 when counted from the end.
    public var days: [Int]?
    /// Whether days are counted from the end of the month, the last day being 1.
    public var daysFromEnd: Bool
    /// 0 to 23.
    public var hours: [Int]?
    /// 0 to 59.
    public var minutes: [Int]?
    /// Whole seconds, 0 to 59.
    public var seconds: [Int]?
    /// Whether it also elapses between whole seconds. ``seconds`` then stops before the first fraction.
    public var hasFractions: Bool
  }

  public var values: Values {
    func list(_ list: CalendarList, through most: Int) -> [Int]? {
      guard !list.isAny else { return nil }
      var values: [Int] = []
      while let next = list.first(from: (values.last ?? -1) + 1, through: most) { values.append(next) }
      return values
    }
    var seconds: [Int] = []
    var hasFractions = false
    while let next = fields.second.first(
      from: seconds.last.map { $0 * 1_000_000 + 1 } ?? 0, through: Self.lastOfMinute)
    {
      hasFractions = next % 1_000_000 != 0
      if hasFractions { break }
      seconds.append(next / 1_000_000)
    }
    let weekdays = Weekday.allCases.filter { fields.weekdays >> $0.rawValue & 1 != 0 }
    let longest = fields.daysFromEnd ? 28 : 31
    let days = list(fields.days(ofMonth: longest), through: longest)
    return Values(
      weekdays: weekdays.count == 7 ? nil : weekdays,
      years: list(fields.year, through: Self.years.upperBound), months: list(fields.month, through: 12),
      days: fields.daysFromEnd ? days?.map { 29 - $0 }.reversed() : days,
      daysFromEnd: fields.daysFromEnd, hours: list(fields.hour, through: 23),
      minutes: list(fields.minute, through: 59), seconds: seconds.count == 60 ? nil : seconds,
      hasFractions: hasFractions)
  }
}
