import Alarms
import EggTime

/// Changes alarms; what is left out stays, an empty text is taken away.
public struct EditCall: ScheduleMethod, SelectingCall {
  public static let method = "Edit"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?
  /// A new time expression: schedules the alarm again under its number.
  public var expression: String?
  /// The class forced on the expression.
  public var kind: Timing.Kind?
  /// The caller's zone, an IANA name.
  public var zone: String?
  /// The label.
  public var label: String?
  public var category: Category?
  public var eggs: Int64?
  /// The group it goes to, by name; an empty one takes it out of its group.
  public var group: String?
  public var summary: String?
  public var body: String?
  /// An icon's name or file.
  public var icon: String?
  /// More of the person's own words than a label holds.
  public var note: String?
  /// What is heard: `none`, a sound's name or a file.
  public var sound: String?
  /// How often it repeats bubble and sound until it is answered, 10 s to an hour; 0 for never.
  public var insist: TimeSpan?
  /// Goes with the expression: the latest moment it may ring.
  public var until: Instant?
  /// Goes with the expression: how many times it rings, at least 1.
  public var count: Int64?
  /// What happens when it cannot ring on time.
  public var ifMissed: IfMissed?
  /// How late it may ring, with ``IfMissed/ringWithin``.
  public var ringWithin: TimeSpan?
  /// Goes with the expression: the earliest moment it may ring.
  public var from: Instant?

  /// A change of these alarms that changes nothing yet.
  public init(_ selection: WireSelection) { self.selection = selection }
}

/// What a change made of the alarms.
public struct AlarmsReply: Codable, Equatable, Sendable {
  /// Those it changed, as they now stand, by number; as many as fit a message.
  public var alarms: [WireAlarm]
  /// How many it changed; nil from an eggd that does not tell.
  public var count: Int64?
  /// Numbers that no alarm has.
  public var missing: [Int64]
  /// Identities that no alarm has.
  public var missingIds: [AlarmID]
  /// The number of the last change.
  public var sequence: Int64

  public init(
    alarms: [WireAlarm], count: Int64? = nil, missing: [Int64], missingIds: [AlarmID], sequence: Int64
  ) {
    self.alarms = alarms
    self.count = count
    self.missing = missing
    self.missingIds = missingIds
    self.sequence = sequence
  }
}
