import Alarms
import EggProtocol
import EggTime

/// One alarm on the screen; small, because there may be a hundred thousand.
struct WatchedAlarm: Equatable {
  var number: Int64
  /// The machine's index among those of the screen.
  var host: UInt8
  var position: Int64
  var state: Alarm.Phase
  var done: Bool
  var isRecurring: Bool
  var category: Category
  var eggs: Int64
  /// The next moment, if any.
  var due: Instant?
  /// The next moment, else the last one.
  var moment: Instant?
  /// With rings before it, the alarm's own moment to come.
  var thing: Instant?
  /// Days on which it keeps quiet.
  var skips: [DayRange]
  /// What is left of a paused countdown.
  var remaining: TimeSpan?
  /// The label, else the title, escaped for a terminal; empty without both.
  var label: String
  var group: String?
  /// Label, group and machine in lower case, for the filter.
  var folded: String

  /// `hostName` is shown beside those of other machines; empty for one machine.
  init(_ alarm: WireAlarm, host: UInt8 = 0, hostName: String = "") {
    number = alarm.number
    self.host = host
    position = alarm.position ?? 0
    state = alarm.state
    done = alarm.done
    isRecurring = alarm.isRecurring
    category = alarm.category
    eggs = alarm.eggs
    due = alarm.due
    moment = alarm.shownMoment
    thing = alarm.moment
    skips = alarm.skips ?? []
    remaining = alarm.remaining
    label = alarm.title?.visible ?? ""
    group = alarm.group
    folded = "\(label) \(group ?? "") \(hostName)".lowercased()
  }

  var section: ListSection { ListSection(state, due: due) }

  var id: WatchedID { WatchedID(number, host: host) }

  /// Cells in the column LABEL.
  var nameWidth: Int {
    ListRow.width(
      ofName: isRecurring ? RecurringSign.text(before: label) : label, group: group?.visible)
  }

  /// `#12 two soft ones`.
  var name: String { label.isEmpty ? "#\(number)" : "#\(number) \(label)" }
}

/// Names an alarm on the screen: each machine counts its own numbers.
struct WatchedID: Hashable, ExpressibleByIntegerLiteral {
  var number: Int64
  /// The machine's index among those of the screen.
  var host: UInt8 = 0

  init(_ number: Int64, host: UInt8 = 0) { (self.number, self.host) = (number, host) }

  init(integerLiteral number: Int64) { self.number = number }
}
