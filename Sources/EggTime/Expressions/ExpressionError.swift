import Gettext

/// Why an expression names no future moment.
public enum ExpressionError: Error, Hashable, Sendable {
  /// It cannot be read. `offset` is the byte at which reading stopped; `readings` are expressions that may
  /// have been meant, likeliest first.
  case unreadable(offset: Int, reason: Reason, readings: [String])
  /// Its moment is not after now.
  case inThePast(Instant)

  public enum Reason: Hashable, Sendable {
    case empty
    case bareNumber
    case infinity
    case incomplete
    case unexpected
    case unknownUnit
    case outOfBounds
    /// A month outside 1 to 12, or a day that the month lacks.
    case noSuchDate
    /// An hour above 23 (above 12 with am or pm), or a minute or second above 59.
    case noSuchTime
    case wrongWeekday(Weekday)
    /// Not a zone of this machine, nor an abbreviation of the local one.
    case unknownZone
    /// An abbreviation used in other zones only.
    case foreignAbbreviation
    /// The zone exists, but its data cannot be used.
    case unusableZone
    case calendarDuration
    /// An hour of a twelve-hour clock, without am or pm.
    case ambiguousHour
    /// An hour after midnight in a night named by the day it begins on.
    case ambiguousNight
    /// `9-10am`
    case range
    /// A part of the day without an hour.
    case hourIsMissing
    /// `a few minutes`
    case countIsMissing
    /// A date whose order depends on the country.
    case ambiguousDate
    /// `next week`, `friday week`: several days may be meant.
    case ambiguousWeek
    /// `UTC+9`.
    case zoneWithOffset
    case epochWithZone
    case zoneOfRecurring
    case shortInterval
    case intervalWithTime
    /// A week, month or year that recurs at a time of day, without a day.
    case dayIsMissing
    /// One moment to people, a recurring time to systemd.
    case timeOrEvent
    case badRepetition
    case tooDense
    case lunarRecurs(month: Int, day: Int)
    case neverElapses
    /// Something else where only a span, a moment or a recurring time makes sense.
    case spanWanted, momentWanted, recurrenceWanted
    case rule(RuleProblem)
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
  /// An English fragment, lower case, without a full stop.
  public var description: String {
    switch self {
    case .empty: translatable("nothing to read")
    case .bareNumber: translatable("a number needs a unit or a colon")
    case .infinity: translatable("that never comes")
    case .incomplete: translatable("something is missing at the end")
    case .unexpected: translatable("not understood from here")
    case .unknownUnit: translatable("not a unit of time")
    case .outOfBounds: translatable("too large, or outside 1970 to 9999-12-30 23:59:59 UTC")
    case .noSuchDate: translatable("no such date")
    case .noSuchTime: translatable("no such time of day")
    case .wrongWeekday(let weekday): "that date is a \(weekday.title)"
    case .unknownZone: translatable("no such time zone")
    case .foreignAbbreviation: translatable("name the time zone by area and city")
    case .unusableZone: translatable("cannot read that time zone's data")
    case .calendarDuration: translatable("years and months have no fixed length")
    case .ambiguousHour: translatable("morning or evening?")
    case .ambiguousNight: translatable("on which day?")
    case .range: translatable("a range of time; when should it ring?")
    case .hourIsMissing: translatable("at what time?")
    case .countIsMissing: translatable("how many?")
    case .ambiguousDate: translatable("which is the day, which the month, the year?")
    case .ambiguousWeek: translatable("on what day?")
    case .zoneWithOffset: translatable("write the offset alone, without UTC or GMT")
    case .epochWithZone: translatable("@ counts seconds in UTC and takes no zone")
    case .zoneOfRecurring: translatable("a recurring time needs a zone name, such as Europe/Paris")
    case .shortInterval: translatable("an interval must be at least a second")
    case .intervalWithTime: translatable("an interval below a day takes no day and no time of day")
    case .dayIsMissing: translatable("on what day?")
    case .timeOrEvent: translatable("one time, or a recurring one? --every reads it as systemd does")
    case .badRepetition: translatable("a range must go up, and a repetition must stay within it")
    case .tooDense: translatable("an alarm rings at most ten times a second")
    case .lunarRecurs: translatable("a date of the lunar calendar recurs as an anniversary")
    case .neverElapses: translatable("that never comes")
    case .spanWanted: translatable("a span is wanted, such as 10m or half an hour")
    case .momentWanted: translatable("a moment is wanted, such as tomorrow 07:30")
    case .recurrenceWanted: translatable("a recurring time is wanted, such as every monday 9:00")
    case .rule(let problem): problem.words(in: Phrase.english)
    }
  }
}

/// Marks an English text that goes over the wire as it is, and is translated where people read it: gettext_noop of
/// gettext(3).
public func translatable(_ text: String) -> String { text }
