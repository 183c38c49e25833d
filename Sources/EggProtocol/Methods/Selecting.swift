import EggTime
import Varlink

/// A call about selected alarms.
public protocol SelectingCall: ScheduleMethod {
  associatedtype Reply = AlarmsReply

  var selection: WireSelection { get set }
}

/// Dismisses ringing and snoozed alarms.
public struct DismissCall: SelectingCall {
  public static let method = "Dismiss"

  @Inlined public var selection: WireSelection

  public init(_ selection: WireSelection) { self.selection = selection }
}

public struct SnoozeCall: SelectingCall {
  public static let method = "Snooze"

  @Inlined public var selection: WireSelection
  /// How long, 1 second to 366 days. Without it and `until`, eggd's own setting (default 5 minutes).
  public var span: TimeSpan?
  /// An expression of the moment until which it lasts instead, at most 366 days ahead.
  public var until: String?
  /// The zone in which that is read; nil for the machine's.
  public var zone: String?

  public static let spans: ClosedRange<TimeSpan> = TimeSpan.seconds(1)...TimeSpan.seconds(366 * 86_400)

  public init(
    _ selection: WireSelection, span: TimeSpan? = nil, until: String? = nil, zone: String? = nil
  ) {
    self.span = span
    self.until = until
    self.zone = zone
    self.selection = selection
  }
}

public struct MarkDoneCall: SelectingCall {
  public static let method = "MarkDone"

  @Inlined public var selection: WireSelection
  public var done: Bool

  public init(_ selection: WireSelection, done: Bool) {
    self.done = done
    self.selection = selection
  }
}

/// Freezes countdowns; recurring alarms skip occurrences until resumed.
public struct PauseCall: SelectingCall {
  public static let method = "Pause"

  @Inlined public var selection: WireSelection

  public init(_ selection: WireSelection) { self.selection = selection }
}

public struct ResumeCall: SelectingCall {
  public static let method = "Resume"

  @Inlined public var selection: WireSelection

  public init(_ selection: WireSelection) { self.selection = selection }
}

/// Skips the next occurrence of waiting alarms, or the days of a range.
public struct SkipCall: SelectingCall {
  public static let method = "Skip"

  @Inlined public var selection: WireSelection
  /// Only with `until`: the first day to skip; today if absent.
  public var from: CivilDate?
  /// The day of return.
  public var until: CivilDate?
  /// All ranges to skip go.
  public var clear: Bool?

  public init(_ selection: WireSelection) { self.selection = selection }
}

/// Moves the next ring: the moment of a one-shot, the end of a snooze, or what is left of a paused countdown.
public struct ExtendCall: SelectingCall {
  public static let method = "Extend"

  @Inlined public var selection: WireSelection
  /// Negative for earlier.
  public var span: TimeSpan

  public init(_ selection: WireSelection, span: TimeSpan) {
    self.span = span
    self.selection = selection
  }
}

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
