import Alarms

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
