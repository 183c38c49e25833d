import Alarms
import EggTime

/// An alarm as the wire shows it.
public struct WireAlarm: Codable, Equatable, Sendable {
  /// What people type.
  public var number: Int64
  /// Its state.
  @Open public var state: Alarm.Phase
  /// The person's own mark.
  public var done: Bool
  @Open public var category: Category
  public var eggs: Int64
  /// Its next moment (the end of its snooze, or its own), on the wall clock as it stood at the reply.
  public var due: Instant?
  /// The label.
  public var label: String?
  /// The time expression as entered.
  public var expression: String?
  /// The lasting identity.
  public var id: AlarmID?
  /// `in`, `at` or `every`.
  @OpenOptional public var kind: Timing.Kind?
  /// The length of a countdown.
  public var span: TimeSpan?
  /// The zone whose clock a civil time follows.
  public var zone: String?
  /// Whether a civil time follows the machine's zone when that changes.
  public var floats: Bool?
  /// The notification's summary unless it is the default.
  public var summary: String?
  /// The notification's body unless it is the default.
  public var body: String?
  /// Its icon unless it is the default.
  public var icon: String?
  /// More of the person's own words than a label holds.
  public var note: String?
  /// What is heard unless it is the default: `none`, a sound's name or a file.
  public var sound: String?
  /// How often it repeats bubble and sound until it is answered.
  public var insist: TimeSpan?
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
  /// The class forced on the expression.
  @OpenOptional public var forcedKind: Timing.Kind?
  /// The zone on whose clock the expression was read.
  public var readingZone: String?
  /// The anniversary's date.
  public var anniversary: CivilDate?
  public var createdAt: Instant?
  /// When it was last changed; absent before the first change.
  public var modifiedAt: Instant?
  /// When it was marked done.
  public var doneAt: Instant?
  /// What it was due at when it was marked done.
  public var doneDue: Instant?
  /// Recurring alarms only: its event in canonical form.
  public var calendarEvent: String?
  /// Recurring alarms without an event: its interval in canonical form.
  public var interval: String?
  /// Recurring alarms only: the earliest moment it may ring.
  public var from: Instant?
  /// Recurring alarms only: the latest moment it may ring.
  public var until: Instant?
  /// Recurring alarms only: how many more times it rings.
  public var count: Int64?
  /// What happens when it cannot ring on time.
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
    case due, label, expression, id, kind, span, zone, floats, summary, body, icon, note, sound, insist, key
    case group, position, civil, instant, forcedKind, readingZone, anniversary
    case createdAt, modifiedAt, doneAt, doneDue, calendarEvent, interval, from, until, count, ifMissed,
      ringWithin, remaining, latest
  }

  /// The fields that a list shows.
  public static let listed: Set<Field> = [
    .due, .label, .summary, .kind, .doneDue, .latest, .remaining, .group,
  ]
}
