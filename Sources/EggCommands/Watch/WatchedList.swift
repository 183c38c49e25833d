import EggProtocol
import EggTime

/// All alarms by number, and those that pass the filter in order, with totals.
///
/// A change costs a binary search and moves part of an array of 40-byte elements: 100 000 alarms are no
/// burden.
struct WatchedList {
  enum Order: Equatable {
    /// Ringing alarms, then the user's own order; each machine's after those of the one before.
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

  /// An alarm's place in an order: by rank, text and key, then by number.
  private struct Place: Comparable {
    var text = ""
    var rank: UInt8 = 0
    var host: UInt8
    var key: Int64 = 0
    var number: Int64

    var id: WatchedID { WatchedID(number, host: host) }

    init(_ alarm: WatchedAlarm, in order: Order) {
      number = alarm.number
      host = alarm.host
      switch order {
      case .list: (rank, key) = ((alarm.state == .ringing ? 0 : 128) + host, alarm.position)
      case .due: key = alarm.due?.microseconds ?? .max
      case .label: (rank, text) = (alarm.label.isEmpty ? 1 : 0, alarm.label.lowercased())
      }
    }

    static func < (a: Place, b: Place) -> Bool {
      (a.rank, a.text, a.key, a.number, a.host) < (b.rank, b.text, b.key, b.number, b.host)
    }
  }

  private(set) var order = Order.list
  /// Cells that the rows need; they only grow.
  private(set) var needs = ListColumns.Needs()

  private var alarms: [WatchedID: WatchedAlarm] = [:]
  /// All alarms, in order.
  private var places: [Place] = []
  /// Alarms that pass the filter, in order; unused if that is empty.
  private var passing: [Place] = []
  private var filter = WatchFilter()
  private var eggs: Int64 = 0
  /// The earliest next moment of passing alarms; nil if it must be searched.
  private var next: Instant??
  /// By group name. Includes alarms that the filter hides; groups without alarms are missing.
  private(set) var progress: [String: Progress] = [:]

  /// How many alarms pass the filter.
  var count: Int { shown.count }
  /// How many alarms exist.
  var total: Int { places.count }

  private var shown: [Place] { filter.isEmpty ? places : passing }

  subscript(index: Int) -> WatchedAlarm? {
    let shown = shown
    guard shown.indices.contains(index) else { return nil }
    return alarms[shown[index].id]
  }

  /// Finds alarms that do not pass too.
  func alarm(_ id: WatchedID) -> WatchedAlarm? { alarms[id] }

  /// The index among the passing alarms; nil if it does not pass.
  func index(of id: WatchedID) -> Int? {
    guard let alarm = alarms[id] else { return nil }
    return Self.index(of: Place(alarm, in: order), in: shown)
  }

  /// Totals of the passing alarms. Searches all of them if the earliest moment is gone.
  mutating func totals() -> Totals {
    if next == nil { next = .some(shown.lazy.compactMap { [alarms] in alarms[$0.id]?.due }.min()) }
    return Totals(alarms: Int64(count), eggs: eggs, next: next ?? nil)
  }

  /// Adds or replaces an alarm.
  mutating func put(_ alarm: WatchedAlarm) {
    remove(alarm.id)
    alarms[alarm.id] = alarm
    needs.number = max(needs.number, "\(alarm.number)".utf8.count)
    needs.name = max(needs.name, alarm.nameWidth)
    Self.insert(Place(alarm, in: order), into: &places)
    if let group = alarm.group {
      progress[group, default: Progress()].alarms += 1
      if alarm.done { progress[group, default: Progress()].done += 1 }
    }
    guard filter.passes(alarm) else { return }
    if !filter.isEmpty { Self.insert(Place(alarm, in: order), into: &passing) }
    eggs += alarm.eggs
    if let known = next, let due = alarm.due { next = .some(known.map { min($0, due) } ?? due) }
  }

  /// Removes an alarm, if it exists.
  mutating func remove(_ id: WatchedID) {
    guard let alarm = alarms.removeValue(forKey: id) else { return }
    Self.remove(Place(alarm, in: order), from: &places)
    if let group = alarm.group, var progress = progress[group] {
      progress.alarms -= 1
      if alarm.done { progress.done -= 1 }
      self.progress[group] = progress.alarms == 0 ? nil : progress
    }
    guard filter.passes(alarm) else { return }
    if !filter.isEmpty { Self.remove(Place(alarm, in: order), from: &passing) }
    eggs -= alarm.eggs
    if let due = alarm.due, next == .some(due) { next = nil }
  }

  /// Replaces one machine's alarms by those of another list.
  mutating func replace(alarmsOf host: UInt8, with list: WatchedList) {
    for id in alarms.keys where id.host == host { remove(id) }
    for place in list.places { if let alarm = list.alarms[place.id] { put(alarm) } }
  }

  /// Puts all alarms in another order.
  mutating func sort(by order: Order) {
    self.order = order
    places = alarms.values.map { Place($0, in: order) }.sorted()
    passing = filter.isEmpty ? [] : places.filter { alarms[$0.id].map(filter.passes) ?? false }
  }

  /// Applies a filter. If it narrows the last one, only the alarms that passed that are searched.
  mutating func show(_ filter: WatchFilter) {
    let candidates = filter.narrows(self.filter) ? shown : places
    self.filter = filter
    passing = filter.isEmpty ? [] : candidates.filter { alarms[$0.id].map(filter.passes) ?? false }
    eggs = shown.reduce(0) { $0 + (alarms[$1.id]?.eggs ?? 0) }
    next = nil
  }

  private static func insert(_ place: Place, into places: inout [Place]) {
    if places.last.map({ $0 < place }) ?? true {
      places.append(place)
    } else {
      places.insert(place, at: lowerBound(of: place, in: places))
    }
  }

  private static func remove(_ place: Place, from places: inout [Place]) {
    if let index = index(of: place, in: places) { places.remove(at: index) }
  }

  private static func index(of place: Place, in places: [Place]) -> Int? {
    let index = lowerBound(of: place, in: places)
    return index < places.count && places[index] == place ? index : nil
  }

  /// The index of the first place that is not less.
  private static func lowerBound(of place: Place, in places: [Place]) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
