import EggProtocol
import EggTime

/// All alarms by number, and those that pass the filter in order, with totals.
struct WatchedList {
  enum Order: Equatable {
    /// The user's own order; each machine's after those of the one before.
    case list
    /// By the next moment; alarms without one are last.
    case due
    /// By label; alarms without one are last.
    case label

    /// The next order; the first after the last.
    var next: Order {
      switch self {
      case .list: .due
      case .due: .label
      case .label: .list
      }
    }
  }

  /// An alarm's place in an order: what rings, what waits, then what is over, the newest last.
  private struct Place: Comparable {
    var section: ListSection
    var text = ""
    var rank: UInt8 = 0
    var host: UInt8
    var key: Int64 = 0
    var number: Int64

    var id: WatchedID { WatchedID(number, host: host) }

    init(_ alarm: WatchedAlarm, in order: Order) {
      number = alarm.wire.number
      host = alarm.host
      section = alarm.section
      guard section != .isOver else {
        key = alarm.wire.shownMoment?.microseconds ?? 0
        return
      }
      switch order {
      case .list: (rank, key) = (host, alarm.wire.position ?? 0)
      case .due: key = alarm.wire.due?.microseconds ?? .max
      case .label: (rank, text) = (alarm.label.isEmpty ? 1 : 0, alarm.label.lowercased())
      }
    }

    static func < (a: Place, b: Place) -> Bool {
      if a.section != b.section { return a.section < b.section }
      return (a.rank, a.text, a.key, a.number, a.host) < (b.rank, b.text, b.key, b.number, b.host)
    }
  }

  private(set) var order = Order.list
  /// Cells that the rows need; they only grow.
  private(set) var needs = ListColumns.Needs()

  private var alarms: [WatchedID: WatchedAlarm] = [:]
  /// Alarms that pass the filter, in order.
  private var places: [Place] = []
  private var filter = WatchFilter()
  /// Rows that the screen has for alarms; nil for any number.
  var rows: Int?
  /// By group name. Includes alarms that the filter hides; groups without alarms are missing.
  private(set) var progress: [String: Progress] = [:]

  /// How many alarms are shown: those that pass the filter but for ``leftOut``.
  var count: Int { places.count - leftOut }
  /// How many of what is over do not fit behind the rest, the oldest; none with a filter.
  var leftOut: Int {
    guard filter.text.isEmpty else { return 0 }
    return ListSections.leftOut(over: places.count - toCome, rows: rows.map { $0 - toCome })
  }
  /// How many ring or wait.
  private var toCome: Int { firstPlace { $0.section == .isOver } }
  var ringing: [WatchedAlarm] { places.prefix { $0.section == .rings }.compactMap { alarms[$0.id] } }
  /// The one that rings next; of several with one moment the first of the list.
  var next: WatchedAlarm? {
    var next: (alarm: WatchedAlarm, due: Instant)?
    for place in places {
      guard let alarm = alarms[place.id], let due = alarm.wire.due else { continue }
      if next.map({ due < $0.due }) ?? true { next = (alarm, due) }
    }
    return next?.alarm
  }
  /// How many alarms exist.
  var total: Int { alarms.count }

  subscript(index: Int) -> WatchedAlarm? {
    let place = index < toCome ? index : index + leftOut
    return places.indices.contains(place) ? alarms[places[place].id] : nil
  }

  /// Finds alarms that do not pass too.
  func alarm(_ id: WatchedID) -> WatchedAlarm? { alarms[id] }

  /// The index among the shown alarms; nil if it is none.
  func index(of id: WatchedID) -> Int? {
    let toCome = toCome
    guard let index = place(of: id), index >= toCome else { return place(of: id) }
    return index >= toCome + leftOut ? index - leftOut : nil
  }

  /// The index in ``places``; nil if it does not pass.
  private func place(of id: WatchedID) -> Int? {
    guard let place = alarms[id].map({ Place($0, in: order) }) else { return nil }
    let index = firstPlace { $0 >= place }
    return index < places.count && places[index] == place ? index : nil
  }

  /// Of the passing alarms.
  func totals() -> Totals {
    let eggs = places.reduce(0) { $0 + (alarms[$1.id]?.wire.eggs ?? 0) }
    return Totals(alarms: Int64(places.count), eggs: eggs, next: next?.wire.due)
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
    guard filter.passes(alarm) else { return }
    let place = Place(alarm, in: order)
    places.insert(place, at: firstPlace { $0 >= place })
  }

  mutating func remove(_ id: WatchedID) {
    if let index = place(of: id) { places.remove(at: index) }
    guard let alarm = alarms.removeValue(forKey: id) else { return }
    if let group = alarm.wire.group, var progress = progress[group] {
      progress.alarms -= 1
      if alarm.wire.done { progress.done -= 1 }
      self.progress[group] = progress.alarms == 0 ? nil : progress
    }
  }

  /// Replaces one machine's alarms by those of another list.
  mutating func replace(alarmsOf host: UInt8, with list: WatchedList) {
    for id in alarms.keys where id.host == host { remove(id) }
    for alarm in list.alarms.values { put(alarm) }
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

  private mutating func arrange() {
    places = alarms.values.filter(filter.passes).map { Place($0, in: order) }.sorted()
  }

  /// The index of the first place of the order's later part.
  private func firstPlace(where isLater: (Place) -> Bool) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if isLater(places[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
