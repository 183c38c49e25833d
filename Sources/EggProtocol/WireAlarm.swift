import Alarms
import EggTime

/// An alarm as the wire shows it.
public struct WireAlarm: Codable, Equatable, Sendable {
  /// What people type.
  public var number: Int64
  /// Where it stands.
  @Open public var state: Alarm.Phase
  /// The person's own mark.
  public var done: Bool
  /// How the eggs are to be.
  @Open public var category: Category
  /// How many eggs.
  public var eggs: Int64
  /// Its next moment (the end of its snooze, or its own), on the wall clock as it stood at the reply.
  public var due: Instant?
  /// The person's own words.
  public var label: String?
  /// The time expression as it was typed.
  public var expression: String?
  /// The lasting identity.
  public var id: AlarmID?
  /// What sort of timing it has.
  @OpenOptional public var kind: Timing.Kind?
  /// The length of a countdown.
  public var span: TimeSpan?
  /// The zone whose clock a civil time follows.
  public var zone: String?
  /// Whether a civil time follows the machine's zone when that changes.
  public var floats: Bool?
  /// The notification's summary where it is not the usual one.
  public var summary: String?
  /// The notification's body where it is not the usual one.
  public var body: String?
  /// Its icon where it is not the usual one.
  public var icon: String?
  /// The caller's idempotency key.
  public var key: String?
  /// The name of the group that it is in.
  public var group: String?
  /// Its place in the list: ascending, then by number.
  public var position: Int64?
  /// The date and time of a civil time, on the clock of `zone`.
  public var civil: CivilDateTime?
  /// A moment that no zone moves.
  public var instant: Instant?
  /// The class that was forced upon the expression.
  @OpenOptional public var forcedKind: Timing.Kind?
  /// The zone on whose clock the expression was read.
  public var readingZone: String?
  /// The day that it is an occasion of.
  public var anniversary: CivilDate?
  /// When it was made.
  public var createdAt: Instant?
  /// When it was last changed; absent until the first change.
  public var modifiedAt: Instant?
  /// When it was marked done.
  public var doneAt: Instant?
  /// The moment that it waited for when it was marked done.
  public var doneDue: Instant?
  /// Of a recurring alarm: its event in canonical form.
  public var calendarEvent: String?
  /// Of a recurring alarm that has no event: its interval in canonical form.
  public var interval: String?
  /// Of a recurring alarm: the first moment at which it may elapse.
  public var from: Instant?
  /// Of a recurring alarm: the last moment at which it may elapse.
  public var until: Instant?
  /// Of a recurring alarm: how many more times it elapses.
  public var count: Int64?
  /// What becomes of it when it cannot ring at its moment.
  @OpenOptional public var ifMissed: IfMissed?
  /// How late it may ring, with ``IfMissed/ringWithin``.
  public var ringWithin: TimeSpan?
  /// What is left of a paused countdown.
  public var remaining: TimeSpan?
  /// The occurrence that nobody has answered, else its latest.
  public var latest: WireOccurrence?

  /// Without its optional fields.
  init(number: Int64, state: Alarm.Phase, done: Bool, category: Category, eggs: Int64) {
    (self.number, self.done, self.eggs) = (number, done, eggs)
    _state = Open(wrappedValue: state)
    _category = Open(wrappedValue: category)
    _kind = OpenOptional(wrappedValue: nil)
    _forcedKind = OpenOptional(wrappedValue: nil)
    _ifMissed = OpenOptional(wrappedValue: nil)
  }

  /// The optional fields, which `List` can be asked for by name.
  public enum Field: String, CaseIterable, Codable, Hashable, Sendable {
    case due, label, expression, id, kind, span, zone, floats, summary, body, icon, key
    case group, position, civil, instant, forcedKind, readingZone, anniversary
    case createdAt, modifiedAt, doneAt, doneDue, calendarEvent, interval, from, until, count, ifMissed,
      ringWithin, remaining, latest
  }

  /// The fields that a list shows.
  public static let listed: Set<Field> = [.due, .label, .kind, .doneDue, .latest, .remaining, .group]

  /// The alarm with those of its optional fields that are ``listed``, without looking into a set for each.
  public init(listed alarm: Alarm, wallOf: (DuePoint) -> Instant) {
    self.init(
      number: alarm.number, state: alarm.phase, done: alarm.doneAt != nil, category: alarm.category,
      eggs: alarm.eggs)
    due = alarm.nextDue(wallOf)
    label = alarm.label
    kind = alarm.timing.kind
    group = alarm.group
    doneDue = alarm.doneDue.map(wallOf)
    remaining = alarm.remaining
    latest = alarm.latest.map { WireOccurrence($0) }
  }

  /// The alarm with those of its optional fields that it has and that are in `fields`, where that is given; `wallOf`
  /// tells when a clock's point comes on the wall clock.
  public init(
    _ alarm: Alarm, wallOf: (DuePoint) -> Instant, fields: Set<Field>? = nil
  ) {
    func has(_ field: Field) -> Bool { fields?.contains(field) ?? true }
    // What an alarm lacks is seen sooner than whether it is asked for.
    number = alarm.number
    state = alarm.phase
    done = alarm.doneAt != nil
    category = alarm.category
    eggs = alarm.eggs
    if has(.due) { due = alarm.nextDue(wallOf) }
    if alarm.label != nil, has(.label) { label = alarm.label }
    if has(.expression) { expression = alarm.expression }
    if has(.id) { id = alarm.id }
    if has(.kind) { kind = alarm.timing.kind }
    if alarm.summary != nil, has(.summary) { summary = alarm.summary }
    if alarm.body != nil, has(.body) { body = alarm.body }
    if alarm.icon != nil, has(.icon) { icon = alarm.icon }
    if alarm.key != nil, has(.key) { key = alarm.key }
    if alarm.group != nil, has(.group) { group = alarm.group }
    if has(.position) { position = alarm.position }
    if alarm.forcedKind != nil, has(.forcedKind) { forcedKind = alarm.forcedKind }
    if has(.readingZone) { readingZone = alarm.readingZone }
    if alarm.anniversary != nil, has(.anniversary) { anniversary = alarm.anniversary }
    if has(.createdAt) { createdAt = alarm.createdAt }
    if alarm.modifiedAt != nil, has(.modifiedAt) { modifiedAt = alarm.modifiedAt }
    if alarm.doneAt != nil, has(.doneAt) { doneAt = alarm.doneAt }
    if let due = alarm.doneDue, has(.doneDue) { doneDue = wallOf(due) }
    if alarm.from != nil, has(.from) { from = alarm.from }
    if alarm.until != nil, has(.until) { until = alarm.until }
    if alarm.count != nil, has(.count) { count = alarm.count }
    if alarm.ifMissed != .ring {
      if has(.ifMissed) { ifMissed = alarm.ifMissed.wire }
      if has(.ringWithin) { ringWithin = alarm.ifMissed.span }
    }
    if alarm.remaining != nil, has(.remaining) { remaining = alarm.remaining }
    if let last = alarm.latest, has(.latest) { latest = WireOccurrence(last) }
    switch alarm.timing {
    case .countdown(let length):
      if has(.span) { span = length }
    case .instant(let moment):
      if has(.instant) { instant = moment }
    case .civil(_, let name, let follows), .every(_, let name, let follows):
      if has(.zone) { zone = name }
      if has(.floats) { floats = follows }
    }
    if case .civil(let time, _, _) = alarm.timing, has(.civil) { civil = time }
    switch alarm.timing {
    case .every(.event(let event), _, _):
      if has(.calendarEvent) { calendarEvent = event.description }
    case .every(.interval(let counted), _, _):
      if has(.interval) { interval = counted.description }
    case .countdown, .instant, .civil: break
    }
  }
}
