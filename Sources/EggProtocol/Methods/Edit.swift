import Alarms
import EggTime
import Varlink

/// Changes alarms. Absent fields stay; an empty text clears its field.
public struct EditCall: SelectingCall, TakesManner {
  public static let method = "Edit"

  @Inlined public var selection: WireSelection
  /// A new time expression. It schedules the alarm again under its number.
  public var expression: String?
  /// Reads the expression as this kind only.
  public var kind: Timing.Kind?
  /// The caller's zone, an IANA name.
  public var zone: String?
  public var label: String?
  public var category: Category?
  public var eggs: Int64?
  /// The name of the new group; empty for no group.
  public var group: String?
  /// Empty texts, spans of 0 and false clear.
  @Inlined public var manner = Manner()
  /// The latest moment a recurring alarm may ring.
  public var until: Instant?
  /// How many more times a recurring alarm rings, at least 1.
  public var count: Int64?
  /// True removes ``until`` and ``count``.
  public var endless: Bool?
  /// What happens if it cannot ring on time.
  public var ifMissed: IfMissed?
  /// How late it may ring, with ``IfMissed/ringWithin``.
  public var ringWithin: TimeSpan?
  /// The earliest moment a recurring alarm may ring.
  public var from: Instant?
  /// How long before its moments it rings, `0s` for the moment itself; empty for the moment only.
  public var leads: [Lead]?
  /// The names of days off on which it keeps quiet.
  public var except: [String]?
  /// It rings on the days off of these names only; on all days if empty.
  public var onlyOn: [String]?

  public init(_ selection: WireSelection) { self.selection = selection }
}

public struct AlarmsReply: Codable, Equatable, Sendable {
  /// The changed alarms as they now are, by number; as many as fit a message.
  public var alarms: [WireAlarm]
  /// How many alarms were changed; nil from an older eggd.
  public var count: Int64?
  /// Numbers without an alarm.
  public var missing: [Int64]
  /// Identities without an alarm.
  public var missingIds: [AlarmID]
  /// The number of the last change.
  public var sequence: Int64
}
