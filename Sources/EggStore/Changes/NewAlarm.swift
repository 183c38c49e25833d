import Alarms
import EggTime
import Ringing

package struct NewAlarm: Sendable {
  package var label: String?
  package var category: Category
  package var eggs: Int64
  /// The group's name.
  package var group: String?
  /// Without that group it is made all the same, in none.
  package var isGroupOptional: Bool
  package var summary: String?
  package var body: String?
  package var icon: String?
  package var note: String?
  package var sound: AlarmSound?
  package var insist: TimeSpan?
  package var run: AlarmCommand?
  package var wake: Bool
  package var timing: Timing
  package var expression: String
  package var forcedKind: Timing.Kind?
  package var readingZone: String
  package var due: DuePoint
  package var ifMissed: MissedPolicy
  package var from: Instant?
  package var until: Instant?
  package var count: Int64?
  /// For an anniversary alarm, the day it commemorates.
  package var anniversary: CivilDate?
  package var key: String?
  /// The request as first sent (expression and options, not the resolved moment), compared where `key` is
  /// set.
  package var keyedRequest: String?

  package init(
    label: String?, category: Category, eggs: Int64, group: String? = nil,
    isGroupOptional: Bool = false, summary: String?, body: String?,
    icon: String?, note: String? = nil, sound: AlarmSound? = nil, insist: TimeSpan? = nil,
    run: AlarmCommand? = nil, wake: Bool = false, timing: Timing, expression: String,
    forcedKind: Timing.Kind?, readingZone: String, due: DuePoint,
    ifMissed: MissedPolicy = .ring, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
    anniversary: CivilDate? = nil, key: String?, keyedRequest: String?
  ) {
    self.group = group
    self.isGroupOptional = isGroupOptional
    self.anniversary = anniversary
    self.ifMissed = ifMissed
    self.from = from
    self.until = until
    self.count = count
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
    self.timing = timing
    self.expression = expression
    self.forcedKind = forcedKind
    self.readingZone = readingZone
    self.due = due
    self.key = key
    self.keyedRequest = keyedRequest
  }
}
