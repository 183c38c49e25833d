/// Why an expression names no moment to come.
public enum ExpressionError: Error, Hashable, Sendable {
  /// It cannot be read. `offset` is in bytes from the start of the text, where reading stopped; `nearest` is what
  /// may have been meant, itself an expression.
  case unreadable(offset: Int, reason: Reason, nearest: String?)
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
    /// Years and months of an ISO duration have no fixed length.
    case calendarDuration
    /// A repetition of 0, or one that leaves the range it stands in; a range that ends before it begins.
    case badRepetition
    /// A calendar event that elapses more often than an alarm may ring.
    case tooDense
    /// A calendar event that has no elapse to come.
    case neverElapses
  }

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
    case .bareNumber: "a number needs a unit or a colon (90s? 17:30?)"
    case .infinity: "that never comes"
    case .incomplete: "something is missing at the end"
    case .unexpected: "cannot be read from here on"
    case .unknownUnit: "not a unit of time"
    case .outOfBounds: "too large, or not between 1970 and 9999-12-30 23:59:59 UTC"
    case .noSuchDate: "no such date"
    case .noSuchTime: "no such time of day"
    case .wrongWeekday(let weekday): "that date is a \(weekday.name)"
    case .unknownZone: "no such time zone"
    case .foreignAbbreviation: "an abbreviation that is not the local zone's"
    case .unusableZone: "the data of that time zone cannot be read"
    case .calendarDuration: "years and months have no fixed length"
    case .badRepetition: "a range must go up, and a repetition must stay within it"
    case .tooDense: "an alarm rings at most ten times a second"
    case .neverElapses: "that never comes"
    }
  }
}
