import EggProtocol
import EggTime

/// All alarms by number, and those that pass the filter in order, with their totals.
///
/// A change costs a binary search and the move of a part of an array of 40-byte elements: 100 000 alarms are no burden.
struct WatchedList {
  /// What alarms are ordered by.
  enum Order: Equatable {
    /// What rings, then as the person arranged it.
    case list
    /// By the next moment, those that have none last.
    case due
    /// By label, those without one last.
    case label

    /// The one that follows; the first after the last.
    var next: Order {
      switch self {
      case .list: .due
      case .due: .label
      case .label: .list
      }
    }
  }

  /// Where an alarm stands in an order: by rank, text and key, then by number.
  private struct Place: Comparable {
    var text = ""
    var rank: Int8 = 0
    var key: Int64 = 0
    var number: Int64

    init(_ alarm: WatchedAlarm, in order: Order) {
      number = alarm.number
      switch order {
      case .list: (rank, key) = (alarm.state == .ringing ? 0 : 1, alarm.position)
      case .due: key = alarm.due?.microseconds ?? .max
      case .label: (rank, text) = (alarm.label.isEmpty ? 1 : 0, alarm.label.lowercased())
      }
    }

    static func < (a: Place, b: Place) -> Bool {
      (a.rank, a.text, a.key, a.number) < (b.rank, b.text, b.key, b.number)
    }
  }

  private(set) var order = Order.list
  /// Cells that the rows need; they only grow.
  private(set) var needs = ListColumns.Needs()

  private var alarms: [Int64: WatchedAlarm] = [:]
  /// All of them, in order.
  private var places: [Place] = []
  /// Those that pass a filter that is not empty, in order.
  private var passing: [Place] = []
  private var filter = WatchFilter()
  private var eggs: Int64 = 0
  /// The earliest moment to come of those that pass; nil where it is to be looked for.
  private var next: Instant??
  /// By the group's name, those included that the filter hides; groups without alarms are left out.
  private(set) var progress: [String: Progress] = [:]

  /// How many pass.
  var count: Int { shown.count }
  /// How many there are.
  var total: Int { places.count }

  private var shown: [Place] { filter.isEmpty ? places : passing }

  /// The alarm at an index of those that pass.
  subscript(index: Int) -> WatchedAlarm? {
    let shown = shown
    guard shown.indices.contains(index) else { return nil }
    return alarms[shown[index].number]
  }

  /// The alarm of that number, whether it passes or not.
  func alarm(_ number: Int64) -> WatchedAlarm? { alarms[number] }

  /// Where it stands among those that pass; nil where it does not.
  func index(of number: Int64) -> Int? {
    guard let alarm = alarms[number] else { return nil }
    return Self.index(of: Place(alarm, in: order), in: shown)
  }

  /// Of those that pass. Looks through all of them where the earliest moment went away since the last time.
  mutating func totals() -> Totals {
    if next == nil { next = .some(shown.lazy.compactMap { [alarms] in alarms[$0.number]?.due }.min()) }
    return Totals(alarms: Int64(count), eggs: eggs, next: next ?? nil)
  }

  /// Adds an alarm, or puts it in the place of what was known of it.
  mutating func put(_ alarm: WatchedAlarm) {
    remove(alarm.number)
    alarms[alarm.number] = alarm
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

  /// Takes an alarm out, if it is there.
  mutating func remove(_ number: Int64) {
    guard let alarm = alarms.removeValue(forKey: number) else { return }
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

  /// Puts all of them in another order.
  mutating func sort(by order: Order) {
    self.order = order
    places = alarms.values.map { Place($0, in: order) }.sorted()
    passing = filter.isEmpty ? [] : places.filter { alarms[$0.number].map(filter.passes) ?? false }
  }

  /// Shows what passes. Looks through all alarms, or where the filter narrows the last one, through what passed that.
  mutating func show(_ filter: WatchFilter) {
    let candidates = filter.narrows(self.filter) ? shown : places
    self.filter = filter
    passing = filter.isEmpty ? [] : candidates.filter { alarms[$0.number].map(filter.passes) ?? false }
    eggs = shown.reduce(0) { $0 + (alarms[$1.number]?.eggs ?? 0) }
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

  /// Where the first place stands that is not before it.
  private static func lowerBound(of place: Place, in places: [Place]) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
