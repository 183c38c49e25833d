import Alarms
import EggTime

/// Makes an alarm.
public struct ScheduleCall: ScheduleMethod {
  /// The interface's name for it.
  public static let method = "Schedule"
  /// What it is answered with.
  public typealias Reply = ScheduleReply

  /// The time expression as it was typed.
  public var expression: String
  /// The class that is forced upon the expression.
  public var kind: Timing.Kind?
  /// The caller's zone, an IANA name; the machine's where it is left out.
  public var zone: String?
  /// The person's own words.
  public var label: String?
  /// How the eggs are to be; `other` where it is left out.
  public var category: Category?
  /// How many eggs; 1 where it is left out.
  public var eggs: Int64?
  /// The group it goes to, by name; one that exists.
  public var group: String?
  /// The notification's summary.
  public var summary: String?
  /// The notification's body.
  public var body: String?
  /// An icon's name or file.
  public var icon: String?
  /// Makes the call idempotent.
  public var key: String?
  /// The day that it is an occasion of.
  public var anniversary: CivilDate?
  /// Of a recurring alarm: the last moment at which it may elapse.
  public var until: Instant?
  /// Of a recurring alarm: how often it elapses, 1 or more.
  public var count: Int64?
  /// What becomes of it when it cannot ring at its moment; it rings late where this is left out.
  public var ifMissed: IfMissed?
  /// How late it may ring, with ``IfMissed/ringWithin``.
  public var ringWithin: TimeSpan?
  /// Of a recurring alarm: the first moment at which it may elapse; now where it is left out.
  public var from: Instant?

  /// All fields; what is left out is absent.
  public init(
    expression: String, kind: Timing.Kind? = nil, zone: String? = nil, label: String? = nil,
    category: Category? = nil, eggs: Int64? = nil, group: String? = nil, summary: String? = nil,
    body: String? = nil,
    icon: String? = nil, key: String? = nil, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
    anniversary: CivilDate? = nil, ifMissed: MissedPolicy? = nil
  ) {
    self.group = group
    self.anniversary = anniversary
    self.from = from
    self.until = until
    self.count = count
    self.ifMissed = ifMissed?.wire
    ringWithin = ifMissed?.span
    self.expression = expression
    self.kind = kind
    self.zone = zone
    self.label = label
    self.category = category
    self.eggs = eggs
    self.summary = summary
    self.body = body
    self.icon = icon
    self.key = key
  }
}

/// The alarm that was made, or that had the key already.
public struct ScheduleReply: Codable, Equatable, Sendable {
  /// The alarm as it now stands.
  public var alarm: WireAlarm
  /// Whether the key found it there already.
  public var existed: Bool
  /// The number of the last change.
  public var sequence: Int64

  /// All fields.
  public init(alarm: WireAlarm, existed: Bool, sequence: Int64) {
    self.alarm = alarm
    self.existed = existed
    self.sequence = sequence
  }
}
