import Alarms
import EggProtocol
import EggTime
import Gettext

/// A part of a list as a terminal shows it.
enum ListSection: Comparable {
  case rings, waits, isOver

  init(_ state: Alarm.Phase, due: Instant?) {
    switch state {
    case .ringing: self = .rings
    case .snoozed, .paused: self = .waits
    case .scheduled, .rung, .missed, .skipped, .other: self = due == nil ? .isOver : .waits
    }
  }
}

/// A list as a terminal shows it: what rings, then what waits in the order of the list, then what is over, newest last.
struct ListSections {
  private let ringing: [WireAlarm]
  private let waiting: [WireAlarm]
  private let over: [WireAlarm]

  /// Takes alarms in the order of the list.
  init(_ alarms: [WireAlarm]) {
    let sections = Dictionary(grouping: alarms) { ListSection($0.state, due: $0.due) }
    (ringing, waiting, over) = (sections[.rings] ?? [], sections[.waits] ?? [], sections[.isOver] ?? [])
  }

  /// Of what is over as many of the newest as fit behind the rest, three at least.
  ///
  /// - Parameters:
  ///   - rows: Lines for alarms, and for the one that counts those left out; nil for any number.
  /// - Returns: The alarms, and how many are left out.
  func shown(in rows: Int?) -> (alarms: [WireAlarm], leftOut: Int) {
    let toCome = ringing + waiting
    func place(_ alarm: WireAlarm) -> (Int64, Int64) { (alarm.shownMoment?.microseconds ?? 0, alarm.number) }
    let newestLast = over.sorted { place($0) < place($1) }
    let leftOut = Self.leftOut(over: over.count, rows: rows.map { $0 - toCome.count })
    return (toCome + newestLast.dropFirst(leftOut), leftOut)
  }

  /// What rings and what comes next, for below a list whose top has left the screen.
  func reminder(_ text: AlarmText) -> String {
    let rings =
      ringing.count > 3
      ? [tr("rings: \(ringing.map(\.number).numberList)") + "\n"]
      : ringing.map { tr("rings: \(text.line($0))") }
    let next = waiting.filter { $0.due != nil }.min {
      ($0.due ?? .latest, $0.number) < ($1.due ?? .latest, $1.number)
    }
    return (rings + [next].compactMap { $0 }.map { tr("next: \(text.line($0))") }).joined()
  }

  /// How many of what is over are left out where only some rows are left for it and for the line that counts those.
  static func leftOut(over: Int, rows: Int?) -> Int {
    guard let rows, over > max(rows, 3) else { return 0 }
    return over - max(rows - 1, 3)
  }

  /// `2 more are over: eggctl list --all`.
  static func leftOutText(_ count: Int, command: String = "eggctl list --all") -> String {
    let count = Int64(count)
    return tr(
      one: "\(count) more is over: \(command)", many: "\(count) more are over: \(command)", count: count)
  }
}
