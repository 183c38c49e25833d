import Varlink

/// Moves alarms within the list. They keep their order among themselves.
public struct MoveCall: SelectingCall {
  public static let method = "Move"

  @Inlined public var selection: WireSelection
  public var place: ListPlace
  /// Only with ``ListPlace/before`` and ``ListPlace/after``: the alarm next to which they go.
  public var other: Int64?

  public init(_ selection: WireSelection, place: ListPlace, other: Int64? = nil) {
    self.place = place
    self.other = other
    self.selection = selection
  }
}

public enum ListPlace: String, WireEnum {
  case top
  case bottom
  case before
  case after
}
