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
  private var toCome: [[WireAlarm]] = [[], []]
  private var over: [WireAlarm] = []

  /// Takes alarms in the order of the list.
  mutating func add(_ alarms: [WireAlarm]) {
    for alarm in alarms {
      switch ListSection(alarm.state, due: alarm.due) {
      case .rings: toCome[0].append(alarm)
      case .waits: toCome[1].append(alarm)
      case .isOver: over.append(alarm)
      }
    }
  }

  /// Of what is over as many of the newest as fit behind the rest, three at least.
  ///
  /// - Parameters:
  ///   - rows: Lines for alarms, and for the one that counts those left out; nil for any number.
  /// - Returns: The alarms, and how many are left out.
  func shown(in rows: Int?) -> (alarms: [WireAlarm], leftOut: Int) {
    let waiting = toCome.flatMap(\.self)
    func place(_ alarm: WireAlarm) -> (Int64, Int64) { (alarm.shownMoment?.microseconds ?? 0, alarm.number) }
    let newestLast = over.sorted { place($0) < place($1) }
    let leftOut = Self.leftOut(over: over.count, rows: rows.map { $0 - waiting.count })
    return (waiting + newestLast.dropFirst(leftOut), leftOut)
  }

  /// What rings and what comes next, for below a list whose top has left the screen.
  func reminder(_ text: AlarmText) -> String {
    let rings =
      toCome[0].count > 3
      ? [tr("rings: \(toCome[0].map(\.number).numberList)") + "\n"]
      : toCome[0].map { tr("rings: \(text.line($0))") }
    let next = toCome[1].filter { $0.due != nil }.min {
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
