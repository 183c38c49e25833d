import Alarms
import EggTime

public struct ScheduleCall: ScheduleMethod {
  public static let method = "Schedule"
  public typealias Reply = ScheduleReply

  /// The time expression as entered.
  public var expression: String
  /// The class forced on the expression.
  public var kind: Timing.Kind?
  /// The caller's zone, an IANA name; the machine's if absent.
  public var zone: String?
  /// The label.
  public var label: String?
  /// How the eggs are to be; `other` if absent.
  public var category: Category?
  /// How many eggs; 1 if absent.
  public var eggs: Int64?
  /// The name of an existing group.
  public var group: String?
  public var summary: String?
  public var body: String?
  /// An icon's name or file.
  public var icon: String?
  /// More of the person's own words than a label holds.
  public var note: String?
  /// What is heard: `none`, a sound's name or a file.
  public var sound: String?
  /// How often it repeats bubble and sound until it is answered, 10 s to an hour.
  public var insist: TimeSpan?
  /// Makes the call idempotent.
  public var key: String?
  /// The anniversary's date.
  public var anniversary: CivilDate?
  /// Recurring alarms only: the latest moment it may ring.
  public var until: Instant?
  /// Recurring alarms only: how many times it rings, at least 1.
  public var count: Int64?
  /// What happens when it cannot ring on time; it rings late if absent.
  public var ifMissed: IfMissed?
  /// How late it may ring, with ``IfMissed/ringWithin``.
  public var ringWithin: TimeSpan?
  /// Recurring alarms only: the earliest moment it may ring; now if absent.
  public var from: Instant?

  public init(
    expression: String, kind: Timing.Kind? = nil, zone: String? = nil, label: String? = nil,
    category: Category? = nil, eggs: Int64? = nil, group: String? = nil, summary: String? = nil,
    body: String? = nil,
    icon: String? = nil, note: String? = nil, sound: String? = nil, insist: TimeSpan? = nil,
    key: String? = nil, from: Instant? = nil,
    until: Instant? = nil, count: Int64? = nil,
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
    self.note = note
    self.sound = sound
    self.insist = insist
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

  public init(alarm: WireAlarm, existed: Bool, sequence: Int64) {
    self.alarm = alarm
    self.existed = existed
    self.sequence = sequence
  }
}
