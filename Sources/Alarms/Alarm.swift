import EggTime

/// One alarm of the list, as stored.
///
/// Derived values (`ringing`, time left, totals) are computed on demand; see ``Alarm/phase``.
public struct Alarm: TakesManner, Hashable, Sendable {
  /// What users type. Counts up from 1; never reused.
  public var number: Int64
  /// The permanent identity.
  public var id: AlarmID
  /// At most 30 characters.
  public var label: String?
  /// `other` by default.
  public var category: Category
  /// 1 to 1 000 000.
  public var eggs: Int64
  public var group: String?
  /// Place in the list, in steps of 2^20.
  public var position: Int64
  public var manner: Manner
  public var timing: Timing
  /// The time expression as typed, for display and for `again`.
  public var expression: String
  /// The class forced by `--in`, `--at` or `--every`; nil when detected.
  public var forcedKind: Timing.Kind?
  /// The zone in which the expression was read (IANA name); `again` uses it too.
  public var readingZone: String
  public var ifMissed: MissedPolicy
  /// For a recurring alarm, the first moment at which it may elapse; nil for no bound.
  public var from: Instant?
  /// For a recurring alarm, the last moment at which it may elapse; nil for no bound.
  public var until: Instant?
  /// For a recurring alarm, how many elapses are left, the next one included; nil for no bound.
  public var count: Int64?
  /// Leads, and days on which it keeps quiet.
  public var rules: MomentRules
  /// What is left of a paused countdown.
  public var remaining: TimeSpan?
  public var state: StoredState
  /// The caller's idempotency key.
  public var key: String?
  /// For an anniversary alarm, the day it commemorates.
  public var anniversary: CivilDate?
  public var createdAt: Instant
  /// nil until the first change.
  public var modifiedAt: Instant?
  /// When it was marked done; nil when it is not.
  public var doneAt: Instant?
  /// What it waited for when it was marked done; restored by `undone`.
  public var doneDue: DuePoint?
  /// nil when it will not elapse again.
  public var due: DuePoint?
  /// How long after `due` the moment is that it is a lead of; below zero for a lead below zero.
  public var ahead: TimeSpan
  /// The unanswered occurrence, else the latest; nil before the first.
  public var latest: Occurrence?

  /// The values of the column `state`.
  public enum StoredState: String, CaseIterable, Sendable {
    case scheduled
    case paused
    case over
  }

  public init(
    number: Int64, id: AlarmID, label: String? = nil, category: Category = .other, eggs: Int64 = 1,
    group: String? = nil, position: Int64, manner: Manner = Manner(), timing: Timing, expression: String,
    forcedKind: Timing.Kind? = nil, readingZone: String, ifMissed: MissedPolicy = .ring,
    from: Instant? = nil, until: Instant? = nil, count: Int64? = nil, rules: MomentRules = .none,
    remaining: TimeSpan? = nil,
    state: StoredState = .scheduled,
    key: String? = nil, anniversary: CivilDate? = nil, createdAt: Instant, modifiedAt: Instant? = nil,
    doneAt: Instant? = nil, doneDue: DuePoint? = nil,
    due: DuePoint? = nil, ahead: TimeSpan = .zero, latest: Occurrence? = nil
  ) {
    self.number = number
    self.id = id
    self.label = label
    self.category = category
    self.eggs = eggs
    self.group = group
    self.position = position
    self.manner = manner
    self.timing = timing
    self.expression = expression
    self.forcedKind = forcedKind
    self.readingZone = readingZone
    self.ifMissed = ifMissed
    self.from = from
    self.until = until
    self.count = count
    self.rules = rules
    self.remaining = remaining
    self.state = state
    self.key = key
    self.anniversary = anniversary
    self.createdAt = createdAt
    self.modifiedAt = modifiedAt
    self.doneAt = doneAt
    self.doneDue = doneDue
    self.due = due
    self.ahead = ahead
    self.latest = latest
  }
}

/// How hard the eggs are boiled.
public enum Category: String, CaseIterable, Sendable {
  case soft
  case medium
  case hard
  case other
}

public enum ListOrder: String, CaseIterable, Sendable {
  /// The user's own order; new alarms are last.
  case position
  /// By the next moment; alarms without one are last, by number.
  case due
  /// By time of creation.
  case created
  /// By label; alarms without one are last, by number.
  case label
}
