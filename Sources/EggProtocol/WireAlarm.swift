import Alarms
import EggTime

public struct WireAlarm: TakesManner, Equatable, Sendable {
  public var number: Int64 = 0
  public var state: Alarm.Phase = .scheduled
  /// The user's own mark.
  public var done = false
  public var category: Category = .other
  public var eggs: Int64 = 0
  /// The next moment: its own or the end of its snooze. On the wall clock at the time of the reply.
  public var due: Instant?
  public var label: String?
  /// The time expression as entered.
  public var expression: String?
  /// The lasting identity.
  public var id: AlarmID?
  public var kind: Timing.Kind?
  /// The length of a countdown.
  public var span: TimeSpan?
  /// The zone whose clock a civil time follows.
  public var zone: String?
  /// Whether a civil time follows the machine's zone when that changes.
  public var floats: Bool?
  /// What is not the default.
  public var manner = Manner()
  /// The caller's idempotency key.
  public var key: String?
  public var group: String?
  /// Orders the list; equal positions by number.
  public var position: Int64?
  /// The date and time of a civil time, on the clock of `zone`.
  public var civil: CivilDateTime?
  /// A moment that does not depend on a zone.
  public var instant: Instant?
  /// The kind that the caller forced on the expression.
  public var forcedKind: Timing.Kind?
  /// The zone in which the expression was read.
  public var readingZone: String?
  public var anniversary: CivilDate?
  public var createdAt: Instant?
  /// When it was last changed; absent if never.
  public var modifiedAt: Instant?
  public var doneAt: Instant?
  /// When it was due as it was marked done.
  public var doneDue: Instant?
  /// Recurring alarms only: its event in canonical form.
  public var calendarEvent: String?
  /// Recurring alarms without an event: its interval in canonical form.
  public var interval: String?
  /// Recurring alarms with neither: its rule in canonical form, see `RecurrenceSet`.
  public var rule: String?
  /// Recurring alarms only: the earliest moment it may ring.
  public var from: Instant?
  /// Recurring alarms only: the latest moment it may ring.
  public var until: Instant?
  /// Recurring alarms only: how many more times it rings.
  public var count: Int64?
  /// What happens if it cannot ring on time.
  public var ifMissed: IfMissed?
  /// How late it may ring, with ``IfMissed/ringWithin``.
  public var ringWithin: TimeSpan?
  /// True for one that is paused while it rings or is snoozed; otherwise absent.
  public var paused: Bool?
  /// What is left of a paused countdown.
  public var remaining: TimeSpan?
  /// The unanswered occurrence, else the latest one.
  public var latest: WireOccurrence?
  /// How long before its moments it rings, ascending; absent for the moment alone.
  public var leads: [Lead]?
  /// With leads: the moment to come, of which `due` is a lead, or it itself.
  public var moment: Instant?
  /// Recurring alarms only: days on which it keeps quiet, ascending.
  public var skips: [DayRange]?
  /// Recurring alarms only: the names of days off on which it keeps quiet.
  public var except: [String]?
  /// Recurring alarms only: it rings on the days off of these names only.
  public var onlyOn: [String]?

  /// The optional fields; `List` can select them by name.
  public enum Field: String, CaseIterable, Codable, Hashable, Sendable {
    case due, label, expression, id, kind, span, zone, floats, summary, body, icon, note, sound, insist, run,
      wake, unansweredAfter, runUnanswered, key
    case group, position, civil, instant, forcedKind, readingZone, anniversary
    case createdAt, modifiedAt, doneAt, doneDue, calendarEvent, interval, rule, from, until, count, ifMissed,
      ringWithin, remaining, latest
    case leads, moment, skips, except, onlyOn, paused
  }

  public static let listed: [Field] = [
    .due, .label, .kind, .summary, .group, .doneDue, .remaining, .latest, .moment, .skips, .paused,
  ]
}
