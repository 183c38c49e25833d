import Alarms
import EggTime
import Varlink

public struct ScheduleCall: ScheduleMethod, TakesManner {
  public static let method = "Schedule"
  public typealias Reply = ScheduleReply

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
  public var anniversary: CivilDate?
  /// Empty texts, spans of 0 and false are none; absent ones are as eggd's configuration says.
  @Inlined public var manner = Manner()
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
  /// How long before its moments it rings, `0s` for the moment itself; at the moment only if absent or empty.
  public var leads: [Lead]?
  /// Recurring alarms only: the names of days off on which it keeps quiet.
  public var except: [String]?
  /// Recurring alarms only: it rings on the days off of these names only.
  public var onlyOn: [String]?
  /// Makes the call idempotent: repeated, it returns the same alarm.
  public var key: String?

  public init(
    expression: String, kind: Timing.Kind? = nil, zone: String? = nil, label: String? = nil,
    category: Category? = nil, eggs: Int64? = nil, group: String? = nil, manner: Manner = Manner(),
    key: String? = nil, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
    anniversary: CivilDate? = nil, ifMissed: MissedPolicy? = nil, leads: [Lead]? = nil,
    except: [String]? = nil, onlyOn: [String]? = nil
  ) {
    self.leads = leads
    self.except = except
    self.onlyOn = onlyOn
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
    self.manner = manner
    self.key = key
  }

  /// The call without its key, stored to be compared when the key is used again.
  package var keyedRequest: String { String(decoding: (try? JSON.bytes(withoutKey)) ?? [], as: UTF8.self) }

  /// Whether a stored request, perhaps of an earlier version, is this one.
  package func isRequest(_ stored: String?) -> Bool {
    guard let stored else { return false }
    return (try? JSON.value(Array(stored.utf8))) == withoutKey
  }

  private var withoutKey: ScheduleCall {
    var call = self
    call.key = nil
    return call
  }
}

/// The new alarm, or the existing one with the same key.
public struct ScheduleReply: Codable, Equatable, Sendable {
  public var alarm: WireAlarm
  /// Whether an alarm with the key existed.
  public var existed: Bool
  /// The number of the last change.
  public var sequence: Int64
  /// Leads of a one-shot that lie in the past; nil for none.
  public var past: [Lead]?

  public init(alarm: WireAlarm, existed: Bool, sequence: Int64, past: [Lead]? = nil) {
    self.alarm = alarm
    self.existed = existed
    self.sequence = sequence
    self.past = past
  }
}
