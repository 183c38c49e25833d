import Gettext

/// Why an expression names no future moment.
public enum ExpressionError: Error, Hashable, Sendable {
  /// It cannot be read. `offset` is the byte at which reading stopped; `readings` are expressions that may
  /// have been meant, likeliest first.
  case unreadable(offset: Int, reason: Reason, readings: [String])
  /// Its moment is not after now.
  case inThePast(Instant)

  public enum Reason: Hashable, Sendable {
    /// The date falls on this weekday instead.
    case wrongWeekday(Weekday)
    /// A lunar date recurs as an anniversary only.
    case lunarRecurs(month: Int, day: Int)
    /// A rule of RFC 5545 that is wrong.
    case rule(RuleProblem)
    /// An English fragment, lower case, without a full stop.
    case other(String)

    public static let empty = other(translatable("nothing to read"))
    public static let bareNumber = other(translatable("a number needs a unit or a colon"))
    public static let infinity = other(translatable("that never comes"))
    public static let incomplete = other(translatable("something is missing at the end"))
    /// No grammar continues like this.
    public static let unexpected = other(translatable("not understood from here"))
    public static let unknownUnit = other(translatable("not a unit of time"))
    /// Too large for eggd's clock, or a year outside 1970 to 9999.
    public static let outOfBounds = other(
      translatable("too large, or outside 1970 to 9999-12-30 23:59:59 UTC"))
    /// A month outside 1 to 12, or a day that the month lacks.
    public static let noSuchDate = other(translatable("no such date"))
    /// An hour above 23 (above 12 with am or pm), or a minute or second above 59.
    public static let noSuchTime = other(translatable("no such time of day"))
    /// Not a zone of this machine, nor an abbreviation of the local one.
    public static let unknownZone = other(translatable("no such time zone"))
    /// An abbreviation used in other zones only.
    public static let foreignAbbreviation = other(translatable("name the time zone by area and city"))
    public static let unusableZone = other(translatable("cannot read that time zone's data"))
    public static let calendarDuration = other(translatable("years and months have no fixed length"))
    /// An hour of a twelve-hour clock, without am or pm.
    public static let ambiguousHour = other(translatable("morning or evening?"))
    /// An hour after midnight in a night named by the day it begins on.
    public static let ambiguousNight = other(translatable("on which day?"))
    /// `9-10am`
    public static let range = other(translatable("a range of time; when should it ring?"))
    public static let hourIsMissing = other(translatable("at what time?"))
    /// `a few minutes`
    public static let countIsMissing = other(translatable("how many?"))
    /// A date whose order depends on the country.
    public static let ambiguousDate = other(translatable("which is the day, which the month, the year?"))
    /// `next week`, `friday week`: several days may be meant.
    public static let ambiguousWeek = other(translatable("on what day?"))
    /// `UTC+9`.
    public static let zoneWithOffset = other(translatable("write the offset alone, without UTC or GMT"))
    /// `@` and a zone.
    public static let epochWithZone = other(translatable("@ counts seconds in UTC and takes no zone"))
    /// An offset or abbreviation after a recurring time, which needs a zone's name.
    public static let zoneOfRecurring = other(
      translatable("a recurring time needs a zone name, such as Europe/Paris"))
    public static let shortInterval = other(translatable("an interval must be at least a second"))
    public static let intervalWithTime = other(
      translatable("an interval below a day takes no day and no time of day"))
    /// A week, month or year that recurs at a time of day, without a day.
    public static let dayIsMissing = other(translatable("on what day?"))
    /// One moment to people, a recurring time to systemd.
    public static let timeOrEvent = other(
      translatable("one time, or a recurring one? --every reads it as systemd does"))
    /// A repetition of 0 or one that leaves its range, or a range that ends before it begins.
    public static let badRepetition = other(
      translatable("a range must go up, and a repetition must stay within it"))
    public static let tooDense = other(translatable("an alarm rings at most ten times a second"))
    public static let neverElapses = other(translatable("that never comes"))
    /// Something else where only a span, a moment or a recurring time makes sense.
    public static let spanWanted = other(translatable("a span is wanted, such as 10m or half an hour"))
    public static let momentWanted = other(translatable("a moment is wanted, such as tomorrow 07:30"))
    public static let recurrenceWanted = other(
      translatable("a recurring time is wanted, such as every monday 9:00"))
  }

  /// Expressions that may have been meant, likeliest first.
  public var readings: [String] {
    if case .unreadable(_, _, let readings) = self { readings } else { [] }
  }

  public var reason: Reason? { if case .unreadable(_, let reason, _) = self { reason } else { nil } }

  public var nearest: String? { readings.first }

  /// The byte at which reading stopped; nil when the text was read.
  public var offset: Int? { if case .unreadable(let offset, _, _) = self { offset } else { nil } }
}

extension ExpressionError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .wrongWeekday(let weekday): "that date is a \(weekday.name)"
    case .lunarRecurs: translatable("a date of the lunar calendar recurs as an anniversary")
    case .rule(let problem): problem.words(in: Phrase.english)
    case .other(let text): text
    }
  }
}

/// Marks an English text that goes over the wire as it is, and is translated where people read it: gettext_noop of
/// gettext(3).
public func translatable(_ text: String) -> String { text }
