import EggProtocol
import EggTime

/// All alarms by number, and those that pass the filter in order, with totals.
struct WatchedList {
  enum Order: Int {
    /// The user's own order; each machine's after those of the one before.
    case list
    /// By the next moment; alarms without one are last.
    case due
    /// By label; alarms without one are last.
    case label

    /// The next order; the first after the last.
    var next: Order { Order(rawValue: rawValue + 1) ?? .list }
  }

  /// An alarm's place: what rings, what waits, then what is over, the newest last.
  private typealias Place = (ListSection, UInt8, String, Int64, Int64, UInt8)

  private func place(of alarm: WatchedAlarm) -> Place {
    let (wire, host, section) = (alarm.wire, alarm.host, alarm.section)
    func place(rank: UInt8 = 0, text: String = "", key: Int64 = 0) -> Place {
      (section, rank, text, key, wire.number, host)
    }
    if section == .isOver { return place(key: wire.shownMoment?.microseconds ?? 0) }
    return switch order {
    case .list: place(rank: host, key: wire.position ?? 0)
    case .due: place(key: wire.due?.microseconds ?? .max)
    case .label: place(rank: alarm.label.isEmpty ? 1 : 0, text: alarm.label.lowercased())
    }
  }

  private(set) var order = Order.list
  /// Cells that the rows need; they only grow.
  private(set) var needs = ListColumns.Needs()

  private var alarms: [WatchedID: WatchedAlarm] = [:]
  /// Alarms that pass the filter, in order.
  private var passing: [WatchedAlarm] = []
  private var filter = WatchFilter()
  /// Rows that the screen has for alarms; nil for any number.
  var rows: Int?
  /// By group name. Includes alarms that the filter hides; groups without alarms are missing.
  private(set) var progress: [String: Progress] = [:]

  /// How many alarms are shown: those that pass the filter but for ``leftOut``.
  var count: Int { passing.count - leftOut }
  /// How many of what is over do not fit behind the rest, the oldest; none with a filter.
  var leftOut: Int {
    guard filter.text.isEmpty else { return 0 }
    return ListSections.leftOut(over: passing.count - toCome, rows: rows.map { $0 - toCome })
  }
  /// How many ring or wait.
  private var toCome: Int { firstIndex { $0.section == .isOver } }
  var ringing: [WatchedAlarm] { Array(passing.prefix { $0.section == .rings }) }
  /// The one that rings next; of several with one moment the first of the list.
  var next: WatchedAlarm? {
    passing.filter { $0.wire.due != nil }.min { $0.wire.due ?? .latest < $1.wire.due ?? .latest }
  }
  /// How many alarms exist.
  var total: Int { alarms.count }

  subscript(index: Int) -> WatchedAlarm? {
    let place = index < toCome ? index : index + leftOut
    return passing.indices.contains(place) ? passing[place] : nil
  }

  /// Finds alarms that do not pass too.
  func alarm(_ id: WatchedID) -> WatchedAlarm? { alarms[id] }

  /// The index among the shown alarms; nil if it is none.
  func index(of id: WatchedID) -> Int? {
    let toCome = toCome
    guard let index = passingIndex(of: id), index >= toCome else { return passingIndex(of: id) }
    return index >= toCome + leftOut ? index - leftOut : nil
  }

  /// nil if it does not pass.
  private func passingIndex(of id: WatchedID) -> Int? {
    guard let alarm = alarms[id] else { return nil }
    let index = firstIndex(from: alarm)
    return index < passing.count && passing[index].id == id ? index : nil
  }

  /// Of the passing alarms.
  func totals() -> Totals {
    let eggs = passing.reduce(0) { $0 + $1.wire.eggs }
    return Totals(alarms: Int64(passing.count), eggs: eggs, next: next?.wire.due)
  }

  mutating func put(_ alarm: WatchedAlarm) {
    remove(alarm.id)
    alarms[alarm.id] = alarm
    needs.number = max(needs.number, "\(alarm.wire.number)".utf8.count)
    needs.name = max(needs.name, alarm.nameWidth)
    if let group = alarm.wire.group {
      progress[group, default: Progress()].alarms += 1
      if alarm.wire.done { progress[group, default: Progress()].done += 1 }
    }
    if filter.passes(alarm) { passing.insert(alarm, at: firstIndex(from: alarm)) }
  }

  mutating func remove(_ id: WatchedID) {
    if let index = passingIndex(of: id) { passing.remove(at: index) }
    guard let alarm = alarms.removeValue(forKey: id) else { return }
    if let group = alarm.wire.group, var progress = progress[group] {
      progress.alarms -= 1
      if alarm.wire.done { progress.done -= 1 }
      self.progress[group] = progress.alarms == 0 ? nil : progress
    }
  }

  /// Replaces one machine's alarms.
  mutating func replace(alarmsOf host: UInt8, with new: [WatchedID: WatchedAlarm]) {
    let all = ordered(alarms.values.filter { $0.host != host } + new.values)
    (alarms, passing, progress, needs) = ([:], [], [:], .init())
    for alarm in all { put(alarm) }
  }

  /// Puts all alarms in another order.
  mutating func sort(by order: Order) {
    self.order = order
    arrange()
  }

  mutating func show(_ filter: WatchFilter) {
    self.filter = filter
    arrange()
  }

  private mutating func arrange() { passing = ordered(alarms.values.filter(filter.passes)) }

  private func ordered(_ alarms: [WatchedAlarm]) -> [WatchedAlarm] {
    alarms.map { (place(of: $0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Where the alarm stands, or would.
  private func firstIndex(from alarm: WatchedAlarm) -> Int {
    let place = place(of: alarm)
    return firstIndex { self.place(of: $0) >= place }
  }

  /// The index of the first alarm of the order's later part.
  private func firstIndex(where isLater: (WatchedAlarm) -> Bool) -> Int {
    var (low, high) = (0, passing.count)
    while low < high {
      let middle = (low + high) / 2
      if isLater(passing[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
