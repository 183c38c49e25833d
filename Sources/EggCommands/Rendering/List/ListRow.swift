import Alarms
import EggProtocol
import EggTime
import Gettext

/// A row of the list, for `list` and `watch`.
struct ListRow {
  /// The machine, if there are several.
  var host = ""
  var number: Int64
  /// The next moment, else the last one.
  var moment: Instant?
  /// The time left; for a paused countdown, what remains.
  var left = ""
  /// `scheduled`, `done`.
  var standing: String
  /// Whether ``standing`` says more than the time left does.
  var standsOut: Bool
  var eggs: Int64
  /// The label, else the title, escaped for a terminal, and remarks: `↻ get up · skips 24 Dec – 1 Jan` for a
  /// recurring alarm, `meeting · for 14:30`.
  var name: String
  var group: String?
  /// The style of all columns except the group.
  var style: Style

  init(_ alarm: borrowing WireAlarm, _ moments: Moments) {
    let remaining = alarm.remaining
    let label = alarm.title?.visible ?? ""
    number = alarm.number
    moment = alarm.shownMoment
    left = (alarm.due.map { $0 - moments.now } ?? remaining).map(SpanText.left) ?? ""
    standing = alarm.done ? tr("done") : alarm.state.word
    standsOut = alarm.done || ![.scheduled, .snoozed].contains(alarm.state)
    eggs = alarm.eggs
    name = alarm.isRecurring ? RecurringSign.text(before: label) : label
    group = alarm.group?.visible
    style = Style(of: alarm.state, done: alarm.done)
    if alarm.paused == true { add(remark: Alarm.Phase.paused.word) }
    add(remark: moments.thing(due: alarm.due, moment: alarm.moment))
    add(remark: moments.skips(alarm.skips))
  }

  private mutating func add(remark: String?) {
    guard let remark else { return }
    name += name.isEmpty ? remark : " · \(remark)"
  }

  var nameWidth: Int { Self.width(ofName: name, group: group) }

  /// `[Sunday]`; it follows a name after two blanks.
  static func text(ofGroup name: String) -> String { "[\(name)]" }

  static func width(ofName name: String, group: String?) -> Int {
    guard let group else { return name.displayWidth }
    return name.displayWidth + (name.isEmpty ? 0 : 2) + text(ofGroup: group).displayWidth
  }
}

extension WireAlarm {
  /// The text of the column LABEL: the label, else the notification's title.
  var title: String? { label ?? manner.summary }
}

extension Style {
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
