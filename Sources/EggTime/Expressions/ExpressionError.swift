/// Why an expression names no moment to come.
public enum ExpressionError: Error, Hashable, Sendable {
  /// It cannot be read. `offset` is in bytes from the start of the text, where reading stopped; `readings` are
  /// texts that may have been meant, themselves expressions, the likeliest first.
  case unreadable(offset: Int, reason: Reason, readings: [String])
  /// It was read, and its moment is not after now.
  case inThePast(Instant)

  /// What is wrong at the offset.
  public enum Reason: Hashable, Sendable {
    /// Nothing was typed.
    case empty
    /// A number without a unit.
    case bareNumber
    /// `infinity`.
    case infinity
    /// The text ends too early.
    case incomplete
    /// No reading goes on like this.
    case unexpected
    /// Not a unit of time.
    case unknownUnit
    /// More than the clock of eggd can count, or a year beyond 1970 to 9999.
    case outOfBounds
    /// A month beyond 1 to 12, or a day that the month does not have.
    case noSuchDate
    /// An hour beyond 23, a minute or second beyond 59, or beyond 12 with am or pm.
    case noSuchTime
    /// The date falls on this other day.
    case wrongWeekday(Weekday)
    /// Not a zone of this machine, and no abbreviation of the local one.
    case unknownZone
    /// The abbreviation of some zone's time, but not of the local one's.
    case foreignAbbreviation
    /// The zone is there, but its data cannot be used.
    case unusableZone
    /// Years and months of an ISO duration, and parts of them, have no fixed length.
    case calendarDuration
    /// An hour of a twelve-hour clock, and nothing says of which half of the day.
    case ambiguousHour
    /// An hour after midnight, of a night that is named by the day on which it begins.
    case ambiguousNight
    /// A part of the day, and no hour.
    case hourIsMissing
    /// A date whose order depends on the country.
    case ambiguousDate
    /// `next week`, `friday week`: people mean several days by it.
    case ambiguousWeek
    /// `UTC+9`.
    case zoneWithOffset
    /// `@` and a zone.
    case epochWithZone
    /// An offset or an abbreviation behind a recurring time, which needs a zone's name.
    case zoneOfRecurring
    /// An interval of less than a second.
    case shortInterval
    /// An interval of hours or less together with a day or a time of day.
    case intervalWithTime
    /// A week, month or year that recurs at a time of day, and no day.
    case dayIsMissing
    /// A text that is one moment to people and a recurring time to systemd.
    case timeOrEvent
    /// A repetition of 0, or one that leaves the range it stands in; a range that ends before it begins.
    case badRepetition
    /// A calendar event that elapses more often than an alarm may ring.
    case tooDense
    /// A calendar event that has no elapse to come.
    case neverElapses
  }

  /// Texts that may have been meant, the likeliest first.
  public var readings: [String] {
    guard case .unreadable(_, _, let readings) = self else { return [] }
    return readings
  }

  /// The likeliest text that may have been meant.
  public var nearest: String? { readings.first }

  /// Where reading stopped, in bytes; nil when it was read to the end.
  public var offset: Int? {
    guard case .unreadable(let offset, _, _) = self else { return nil }
    return offset
  }
}

extension ExpressionError.Reason: CustomStringConvertible {
  /// A fragment of an English sentence, lower case and without a full stop.
  public var description: String {
    switch self {
    case .empty: "nothing to read"
    case .bareNumber: "a number needs a unit or a colon"
    case .infinity: "that never comes"
    case .incomplete: "something is missing at the end"
    case .unexpected: "not understood from here"
    case .unknownUnit: "not a unit of time"
    case .outOfBounds: "too large, or not between 1970 and 9999-12-30 23:59:59 UTC"
    case .noSuchDate: "no such date"
    case .noSuchTime: "no such time of day"
    case .wrongWeekday(let weekday): "that date is a \(weekday.name)"
    case .unknownZone: "no such time zone"
    case .foreignAbbreviation: "not a zone's name here; zones are named by area and city"
    case .unusableZone: "the data of that time zone cannot be read"
    case .calendarDuration: "years and months have no fixed length"
    case .ambiguousHour: "morning or evening?"
    case .ambiguousNight: "on which day?"
    case .hourIsMissing: "at what time?"
    case .ambiguousDate: "which is the day, which the month and the year?"
    case .ambiguousWeek: "on what day?"
    case .zoneWithOffset: "an offset stands alone"
    case .epochWithZone: "@ counts seconds of UTC; it takes no zone"
    case .zoneOfRecurring: "a recurring time needs a zone's name, such as Europe/Paris"
    case .shortInterval: "an interval is at least a second"
    case .intervalWithTime: "an interval of hours or less takes no day and no time of day"
    case .dayIsMissing: "on what day?"
    case .timeOrEvent: "one time, or a recurring one? --every reads it as systemd does"
    case .badRepetition: "a range must go up, and a repetition must stay within it"
    case .tooDense: "an alarm rings at most ten times a second"
    case .neverElapses: "that never comes"
    }
  }
}
