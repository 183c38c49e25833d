import EggProtocol
import EggTime

/// All alarms by number, and those that pass the filter in order, with their totals.
///
/// A change costs a binary search and the move of a part of an array of 16-byte elements: 100 000 alarms are no burden.
struct WatchedList {
  /// What alarms are ordered by: position, then number.
  private struct Place: Comparable {
    var position: Int64
    var number: Int64

    init(_ alarm: WatchedAlarm) { (position, number) = (alarm.position, alarm.number) }

    static func < (a: Place, b: Place) -> Bool { (a.position, a.number) < (b.position, b.number) }
  }

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
    return Self.index(of: Place(alarm), in: shown)
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
    Self.insert(Place(alarm), into: &places)
    if let group = alarm.group {
      progress[group, default: Progress()].alarms += 1
      if alarm.done { progress[group, default: Progress()].done += 1 }
    }
    guard filter.passes(alarm) else { return }
    if !filter.isEmpty { Self.insert(Place(alarm), into: &passing) }
    eggs += alarm.eggs
    if let known = next, let due = alarm.due { next = .some(known.map { min($0, due) } ?? due) }
  }

  /// Takes an alarm out, if it is there.
  mutating func remove(_ number: Int64) {
    guard let alarm = alarms.removeValue(forKey: number) else { return }
    Self.remove(Place(alarm), from: &places)
    if let group = alarm.group, var progress = progress[group] {
      progress.alarms -= 1
      if alarm.done { progress.done -= 1 }
      self.progress[group] = progress.alarms == 0 ? nil : progress
    }
    guard filter.passes(alarm) else { return }
    if !filter.isEmpty { Self.remove(Place(alarm), from: &passing) }
    eggs -= alarm.eggs
    if let due = alarm.due, next == .some(due) { next = nil }
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
