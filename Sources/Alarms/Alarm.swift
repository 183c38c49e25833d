import EggTime

/// One alarm of the list, as it is stored.
///
/// What can be derived (`ringing`, time left, totals) is computed when asked for, see ``Alarm/phase``.
public struct Alarm: Hashable, Sendable {
  /// What people type. Counts up from 1 and is never reused.
  public var number: Int64
  /// The lasting identity.
  public var id: AlarmID
  /// The person's own words, at most 30 characters; nil when there are none.
  public var label: String?
  /// How the eggs are to be; `other` unless it was said.
  public var category: Category
  /// How many eggs, 1 to 1 000 000.
  public var eggs: Int64
  /// The name of the group that it is in; nil for none.
  public var group: String?
  /// Place in the list: steps of 2^20.
  public var position: Int64
  /// The notification's summary where it is not `Wait!`.
  public var summary: String?
  /// The notification's body where it is not `Your eggs are almost done!`.
  public var body: String?
  /// An icon name or file where it is not the daemon's own.
  public var icon: String?
  /// When it is to ring.
  public var timing: Timing
  /// The time expression as it was typed, for display and for `again`.
  public var expression: String
  /// The class that `--in`, `--at` or `--every` forced upon the expression; nil when none did.
  public var forcedKind: Timing.Kind?
  /// The zone on whose clock the expression was read (IANA name), which `again` uses too.
  public var readingZone: String
  /// How late it may still ring.
  public var ifMissed: MissedPolicy
  /// Of a recurring alarm: the first moment at which it may elapse; nil for whenever its timing says so.
  public var from: Instant?
  /// Of a recurring alarm: the last moment at which it may elapse; nil for ever.
  public var until: Instant?
  /// Of a recurring alarm: how many more times it elapses, the one it waits for included; nil for ever.
  public var count: Int64?
  /// While a countdown is paused: what is left of it.
  public var remaining: TimeSpan?
  /// Where it stands in its life.
  public var state: StoredState
  /// The caller's idempotency key.
  public var key: String?
  /// The day that it is an occasion of: an anniversary's first; nil for what is none.
  public var anniversary: CivilDate?
  /// When the alarm was made.
  public var createdAt: Instant
  /// When it was last changed; nil until the first change.
  public var modifiedAt: Instant?
  /// When the person marked it done; nil when it is not.
  public var doneAt: Instant?
  /// What it waited for when it was marked done: `undone` restores it.
  public var doneDue: DuePoint?
  /// Its next moment; nil when nothing is to come.
  public var due: DuePoint?
  /// The occurrence that nobody has answered, else its latest; nil before the first.
  public var latest: Occurrence?

  /// What the column `state` holds.
  public enum StoredState: String, CaseIterable, Sendable {
    case scheduled
    case paused
    case over
  }

  /// All fields, in the order of their declaration.
  public init(
    number: Int64, id: AlarmID, label: String? = nil, category: Category = .other, eggs: Int64 = 1,
    group: String? = nil, position: Int64, summary: String? = nil, body: String? = nil, icon: String? = nil,
    timing: Timing,
    expression: String, forcedKind: Timing.Kind? = nil, readingZone: String, ifMissed: MissedPolicy = .ring,
    from: Instant? = nil, until: Instant? = nil, count: Int64? = nil, remaining: TimeSpan? = nil,
    state: StoredState = .scheduled,
    key: String? = nil, anniversary: CivilDate? = nil, createdAt: Instant, modifiedAt: Instant? = nil,
    doneAt: Instant? = nil, doneDue: DuePoint? = nil,
    due: DuePoint? = nil, latest: Occurrence? = nil
  ) {
    self.number = number
    self.id = id
    self.label = label
    self.category = category
    self.eggs = eggs
    self.group = group
    self.position = position
    self.summary = summary
    self.body = body
    self.icon = icon
    self.timing = timing
    self.expression = expression
    self.forcedKind = forcedKind
    self.readingZone = readingZone
    self.ifMissed = ifMissed
    self.from = from
    self.until = until
    self.count = count
    self.remaining = remaining
    self.state = state
    self.key = key
    self.anniversary = anniversary
    self.createdAt = createdAt
    self.modifiedAt = modifiedAt
    self.doneAt = doneAt
    self.doneDue = doneDue
    self.due = due
    self.latest = latest
  }
}

/// How the eggs are to be.
public enum Category: String, CaseIterable, Sendable {
  case soft
  case medium
  case hard
  case other
}
