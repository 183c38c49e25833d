import Alarms
import EggProtocol
import EggTime

/// What a row of the list shows of an alarm, in `list` as in `watch`.
struct ListRow {
  var number: Int64
  /// The moment to come, else the one it was last due at.
  var moment: Instant?
  /// The time until it rings; of a paused countdown, what is left.
  var left = ""
  /// `scheduled`, `done`.
  var standing: String
  /// Whether that says more than the time left.
  var standsOut: Bool
  var eggs: Int64
  /// The label, else the title, as it may go to a terminal; `↻ get up` for a recurring alarm.
  var name: String
  var group: String?
  /// Of everything but the group.
  var style: Style

  init(_ alarm: WireAlarm, now: Instant) {
    self.init(
      number: alarm.number, state: alarm.state, done: alarm.done, recurs: alarm.isRecurring,
      label: alarm.title?.visible ?? "")
    moment = alarm.shownMoment
    left = (alarm.due.map { $0 - now } ?? alarm.remaining).map(SpanText.left) ?? ""
    eggs = alarm.eggs
    group = alarm.group?.visible
  }

  init(_ alarm: WatchedAlarm, now: Instant) {
    self.init(
      number: alarm.number, state: alarm.state, done: alarm.done, recurs: alarm.isRecurring,
      label: alarm.label)
    moment = alarm.moment
    left = (alarm.due.map { $0 - now } ?? alarm.remaining).map(SpanText.left) ?? ""
    eggs = alarm.eggs
    group = alarm.group?.visible
  }

  private init(number: Int64, state: Alarm.Phase, done: Bool, recurs: Bool, label: String) {
    self.number = number
    standing = done ? "done" : state.rawValue
    standsOut = done || ![.scheduled, .snoozed].contains(state)
    eggs = 1
    name = recurs ? RecurringSign.text(before: label) : label
    style = Style(of: state, done: done)
  }

  /// Cells of the name and the group.
  var nameWidth: Int { Self.width(ofName: name, group: group) }

  /// `[Sunday]`, behind two blanks where it follows a name.
  static func text(ofGroup name: String) -> String { "[\(name)]" }

  static func width(ofName name: String, group: String?) -> Int {
    guard let group else { return name.displayWidth }
    return name.displayWidth + (name.isEmpty ? 0 : 2) + text(ofGroup: group).displayWidth
  }
}

extension WireAlarm {
  /// What stands in the LABEL column: the label, else the title of its notification.
  var title: String? { label ?? summary }
}

extension Style {
  /// How an alarm stands out by its state, wherever alarms are listed.
  init(of state: Alarm.Phase, done: Bool) {
    self =
      switch state {
      case .ringing: .ringing
      case .snoozed: .bold
      case .scheduled: done ? .dim : .plain
      case .paused, .rung, .missed, .skipped: .dim
      case .other: .plain
      }
  }
}
