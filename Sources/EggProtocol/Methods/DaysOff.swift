import Alarms
import EggTime

/// Makes the days off of a name, or replaces those that it has.
public struct ImportDaysOffCall: ScheduleMethod {
  public static let method = "ImportDaysOff"
  public typealias Reply = DaysOffReply

  public var name: String
  public var days: [DayRange]

  public init(name: String, days: [DayRange]) { (self.name, self.days) = (name, days) }
}

/// Adds days to those that the name has, or makes it.
public struct AddDaysOffCall: ScheduleMethod {
  public static let method = "AddDaysOff"
  public typealias Reply = DaysOffReply

  public var name: String
  public var days: [DayRange]

  public init(name: String, days: [DayRange]) { (self.name, self.days) = (name, days) }
}

/// The alarms that name it follow.
public struct RenameDaysOffCall: ScheduleMethod {
  public static let method = "RenameDaysOff"
  public typealias Reply = DaysOffReply

  public var name: String
  public var newName: String

  public init(name: String, newName: String) { (self.name, self.newName) = (name, newName) }
}

/// Refused while alarms name it.
public struct DeleteDaysOffCall: ScheduleMethod {
  public static let method = "DeleteDaysOff"

  public var name: String

  public init(name: String) { self.name = name }

  public struct Reply: Codable, Equatable, Sendable {
    /// The number of the last change.
    public var sequence: Int64

    public init(sequence: Int64) { self.sequence = sequence }
  }
}

public struct ListDaysOffCall: ScheduleMethod {
  public static let method = "ListDaysOff"
  public typealias Reply = ListDaysOffReply

  /// Only those of this name, with their days.
  public var name: String?

  public init(name: String? = nil) { self.name = name }
}

public struct ListDaysOffReply: Codable, Equatable, Sendable {
  /// Sorted by name.
  public var daysOff: [WireDaysOff]

  public init(daysOff: [WireDaysOff]) { self.daysOff = daysOff }
}

public struct DaysOffReply: Codable, Equatable, Sendable {
  public var daysOff: WireDaysOff
  /// How many alarms have another moment.
  public var moved: Int64
  /// The number of the last change.
  public var sequence: Int64

  public init(daysOff: WireDaysOff, moved: Int64, sequence: Int64) {
    self.daysOff = daysOff
    self.moved = moved
    self.sequence = sequence
  }
}

public struct WireDaysOff: Codable, Equatable, Sendable {
  public var name: String
  /// How many days.
  public var count: Int64
  /// The first that is not past.
  public var next: CivilDate?
  /// How many alarms name it.
  public var alarms: Int64
  /// Ascending; only where they were asked for.
  public var days: [DayRange]?

  public init(name: String, count: Int64, next: CivilDate?, alarms: Int64, days: [DayRange]? = nil) {
    self.name = name
    self.count = count
    self.next = next
    self.alarms = alarms
    self.days = days
  }
}
