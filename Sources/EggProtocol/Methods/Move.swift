import Alarms

/// Moves alarms within the list, in their present order.
public struct MoveCall: ScheduleMethod, SelectingCall {
  public static let method = "Move"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
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
