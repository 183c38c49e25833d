import Alarms

/// Sets or clears the person's own mark.
public struct MarkDoneCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "MarkDone"
  /// What it is answered with.
  public typealias Reply = AlarmsReply

  /// Numbers of alarms.
  public var numbers: [Int64]?
  /// Identities of alarms.
  public var ids: [AlarmID]?
  /// Ranges of numbers.
  public var ranges: [NumberRange]?
  /// Every alarm.
  public var all: Bool?
  /// Set, or cleared.
  public var done: Bool

  /// Of these alarms.
  public init(_ selection: WireSelection, done: Bool) {
    self.done = done
    self.selection = selection
  }
}

/// Gives alarms another place in the list, in the order that they have.
public struct MoveCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "Move"
  /// What it is answered with.
  public typealias Reply = AlarmsReply

  /// Numbers of alarms.
  public var numbers: [Int64]?
  /// Identities of alarms.
  public var ids: [AlarmID]?
  /// Ranges of numbers.
  public var ranges: [NumberRange]?
  /// Every alarm.
  public var all: Bool?
  /// Where to.
  public var place: ListPlace
  /// The alarm that they are put before or after; with those places only.
  public var other: Int64?

  /// These alarms, to that place.
  public init(_ selection: WireSelection, place: ListPlace, other: Int64? = nil) {
    self.place = place
    self.other = other
    self.selection = selection
  }
}

/// A place in the list.
public enum ListPlace: String, WireEnum {
  case top
  case bottom
  case before
  case after
}
