import Alarms
import EggProtocol
import EggTime

/// One alarm on the screen. A class, because the list is walked at each key and an alarm has many fields to copy.
final class WatchedAlarm: Sendable {
  let wire: WireAlarm
  /// The machine's index among those of the screen.
  let host: UInt8
  /// Label, else title, group and machine in lower case, for the filter.
  let folded: String

  /// `hostName` is shown beside those of other machines; empty for one machine.
  init(_ alarm: WireAlarm, host: UInt8 = 0, hostName: String = "") {
    wire = alarm
    self.host = host
    folded = "\(alarm.title?.visible ?? "") \(alarm.group ?? "") \(hostName)".lowercased()
  }

  /// The label, else the title, escaped for a terminal; empty without both.
  var label: String { wire.title?.visible ?? "" }

  var section: ListSection { ListSection(wire.state, due: wire.due) }

  var id: WatchedID { WatchedID(wire.number, host: host) }

  /// Cells in the column LABEL.
  var nameWidth: Int {
    ListRow.width(
      ofName: wire.isRecurring ? RecurringSign.text(before: label) : label, group: wire.group?.visible)
  }

  /// `#12 two soft ones`.
  var name: String { label.isEmpty ? "#\(wire.number)" : "#\(wire.number) \(label)" }
}

/// Names an alarm on the screen: each machine counts its own numbers.
struct WatchedID: Hashable, ExpressibleByIntegerLiteral {
  var number: Int64
  /// The machine's index among those of the screen.
  var host: UInt8 = 0

  init(_ number: Int64, host: UInt8 = 0) { (self.number, self.host) = (number, host) }

  init(integerLiteral number: Int64) { self.number = number }
}
