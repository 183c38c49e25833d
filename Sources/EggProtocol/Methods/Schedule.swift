import Alarms
import EggTime
import Varlink

public struct ScheduleCall: ScheduleMethod {
  public static let method = "Schedule"
  public typealias Reply = ScheduleReply

  // ``keyedRequest`` has the members in this order.

  /// The time expression as entered.
  public var expression: String
  /// Reads the expression as this kind only.
  public var kind: Timing.Kind?
  /// The caller's zone, an IANA name; the machine's if absent.
  public var zone: String?
  public var label: String?
  /// eggd's configured one if absent.
  public var category: Category?
  /// 1 if absent.
  public var eggs: Int64?
  /// The name of an existing group; empty for none, absent for eggd's configured one.
  public var group: String?
  /// The anniversary's date.
  public var anniversary: CivilDate?
  public var summary: String?
  public var body: String?
  /// An icon's name or file.
  public var icon: String?
  /// Recurring alarms only: the latest moment it may ring.
  public var until: Instant?
  /// Recurring alarms only: how many times it rings, at least 1.
  public var count: Int64?
  /// What happens if it cannot ring on time; what eggd's configuration says if absent.
  public var ifMissed: IfMissed?
  /// How late it may ring, with ``IfMissed/ringWithin``.
  public var ringWithin: TimeSpan?
  /// Recurring alarms only: the earliest moment it may ring; now if absent.
  public var from: Instant?
  /// `none`, a sound's name or a file's path.
  public var sound: String?
  /// A longer text than a label can hold.
  public var note: String?
  /// How often bubble and sound repeat until answered, 10 s to an hour; 0 for never, absent for what eggd's
  /// configuration says.
  public var insist: TimeSpan?
  /// The command that runs when it rings: words separated by blanks, quoted as in a shell.
  public var run: String?
  /// Whether the machine wakes from suspend for it; what eggd's configuration says if absent.
  public var wake: Bool?
  /// Makes the call idempotent: repeated, it returns the same alarm.
  public var key: String?

  public init(
    expression: String, kind: Timing.Kind? = nil, zone: String? = nil, label: String? = nil,
    category: Category? = nil, eggs: Int64? = nil, group: String? = nil, summary: String? = nil,
    body: String? = nil,
    icon: String? = nil, note: String? = nil, sound: String? = nil, insist: TimeSpan? = nil,
    run: String? = nil, wake: Bool? = nil, key: String? = nil, from: Instant? = nil,
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
    self.run = run
    self.wake = wake
    self.key = key
  }
}

extension ScheduleCall {
  /// The call without its key, compared when the key is used again. It is stored, so the order of its members
  /// must never change.
  package var keyedRequest: String {
    var call = self
    call.key = nil
    return String(decoding: (try? JSON.bytes(call)) ?? [], as: UTF8.self)
  }
}

/// The new alarm, or the existing one with the same key.
public struct ScheduleReply: Codable, Equatable, Sendable {
  public var alarm: WireAlarm
  /// Whether an alarm with the key existed.
  public var existed: Bool
  /// The number of the last change.
  public var sequence: Int64

  public init(alarm: WireAlarm, existed: Bool, sequence: Int64) {
    self.alarm = alarm
    self.existed = existed
    self.sequence = sequence
  }
}
