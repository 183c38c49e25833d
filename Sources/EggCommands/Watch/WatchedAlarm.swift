import Alarms
import EggProtocol
import EggTime

/// What the screen shows of one alarm; small, as there may be a hundred thousand.
struct WatchedAlarm: Equatable {
  var number: Int64
  /// Where it stands in the list.
  var position: Int64
  var state: Alarm.Phase
  var done: Bool
  /// Whether it rings again and again.
  var isRecurring: Bool
  var category: Category
  var eggs: Int64
  /// The next moment, where one is to come.
  var due: Instant?
  /// That, else the moment it was last due at.
  var moment: Instant?
  /// What is left of a paused countdown.
  var remaining: TimeSpan?
  /// The label, else the title, as it may go to a terminal; empty where there is neither.
  var label: String
  /// The group's name.
  var group: String?
  /// What the filter looks into: label and group in lower case.
  var folded: String

  init(_ alarm: WireAlarm) {
    number = alarm.number
    position = alarm.position ?? 0
    state = alarm.state
    done = alarm.done
    isRecurring = alarm.isRecurring
    category = alarm.category
    eggs = alarm.eggs
    due = alarm.due
    moment = alarm.shownMoment
    remaining = alarm.remaining
    label = alarm.title?.visible ?? ""
    group = alarm.group
    folded = "\(label) \(group ?? "")".lowercased()
  }

  /// Cells in the list's column LABEL.
  var nameWidth: Int {
    ListRow.width(
      ofName: isRecurring ? RecurringSign.text(before: label) : label, group: group?.visible)
  }

  /// `#12 two soft ones`.
  var name: String { label.isEmpty ? "#\(number)" : "#\(number) \(label)" }
}
