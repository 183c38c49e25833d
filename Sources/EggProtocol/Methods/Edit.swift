import Alarms
import EggTime

/// Changes alarms; what is left out stays, an empty text is taken away.
public struct EditCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "Edit"
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
  /// A new time expression: schedules the alarm again under its number.
  public var expression: String?
  /// The class that is forced upon the expression.
  public var kind: Timing.Kind?
  /// The caller's zone, an IANA name.
  public var zone: String?
  /// The person's own words.
  public var label: String?
  /// How the eggs are to be.
  public var category: Category?
  /// How many eggs.
  public var eggs: Int64?
  /// The group it goes to, by name; an empty one takes it out of its group.
  public var group: String?
  /// The notification's summary.
  public var summary: String?
  /// The notification's body.
  public var body: String?
  /// An icon's name or file.
  public var icon: String?
  /// Goes with the expression: the last moment at which it may elapse.
  public var until: Instant?
  /// Goes with the expression: how often it elapses, 1 or more.
  public var count: Int64?
  /// What becomes of it when it cannot ring at its moment.
  public var ifMissed: IfMissed?
  /// How late it may ring, with ``IfMissed/ringWithin``.
  public var ringWithin: TimeSpan?
  /// Goes with the expression: the first moment at which it may elapse.
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

  /// All fields.
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
