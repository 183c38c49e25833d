import EggTime
import Varlink

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

  public init(
    _ selection: WireSelection, span: TimeSpan? = nil, until: String? = nil, zone: String? = nil
  ) {
    self.span = span
    self.until = until
    self.zone = zone
    self.selection = selection
  }
}

extension SnoozeCall {
  public static let spans: ClosedRange<TimeSpan> = TimeSpan.seconds(1)...TimeSpan.seconds(366 * 86_400)
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
