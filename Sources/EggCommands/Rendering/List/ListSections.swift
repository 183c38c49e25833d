import Alarms
import EggProtocol
import EggTime

/// A part of a list as a terminal shows it.
enum ListSection: UInt8, Comparable {
  case rings, waits, isOver

  init(_ state: Alarm.Phase, due: Instant?) {
    switch state {
    case .ringing: self = .rings
    case .snoozed, .paused: self = .waits
    case .scheduled, .rung, .missed, .skipped, .other: self = due == nil ? .isOver : .waits
    }
  }

  static func < (a: ListSection, b: ListSection) -> Bool { a.rawValue < b.rawValue }
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
    let room = rows.map { $0 - waiting.count } ?? .max
    guard over.count > max(room, 3) else { return (waiting + newestLast, 0) }
    let count = max(room - 1, 3)
    return (waiting + newestLast.suffix(count), over.count - count)
  }
}
