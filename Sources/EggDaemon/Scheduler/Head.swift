import Alarms
import EggTime

/// The waiting alarms that memory holds: on each clock all rows of the two windows of a ``Refill``, and no
/// row beyond them.
///
/// Ordered by (due, number, occurrence) within a clock; at most ``capacity`` entries in all. Pure. Rows may hold
/// any number: all arithmetic is cut to what 64 bits hold.
package struct Head: Sendable {
  /// Entries held at most; a refill brings no more than that.
  package static let capacity = Refill.overdueLimit + Refill.waitingLimit
  /// So many at most are removed one by one.
  private static let few = 16

  /// One entry and what happened to it on its way.
  package struct Item: Hashable, Sendable {
    package var entry: HeadEntry
    /// It came from the database, or its hold ended, only after its moment.
    package var delayed = false
    /// What follows from a ring that is not recorded: the database has another moment for it yet.
    package var isUnstored = false
  }

  /// Ascending, by clock.
  private var orders: [ClockID: [EntryOrder]] = [:]
  /// By alarm: one entry, or a few where an alarm waits and is snoozed at once.
  private var items: [Int64: [Item]] = [:]
  private var windows: [ClockID: Refill.Window] = [:]
  /// Unstored entries beyond the horizon, by alarm: no extension brings them.
  private var beyond: [Int64: HeadEntry] = [:]
  /// Wall clock minus clock. Never forgotten: a ring that is yet to be recorded may name a boot whose rows have
  /// been moved.
  private var earlierBoots: [ClockID: Int64] = [:]
  private let currentBoot: ClockID
  /// All entries, on all clocks.
  package private(set) var count = 0

  /// An empty head that covers nothing until it is refilled.
  package init(currentBoot: ClockID) { self.currentBoot = currentBoot }

  /// A refill came: all else is forgotten, and what of it is `unrecorded` is left out.
  package mutating func replace(
    with refill: Refill, at now: ClockReading, leavingOut unrecorded: [Int64: [RingRecord]] = [:]
  ) {
    orders = [:]
    items = [:]
    beyond = [:]
    count = 0
    windows = refill.windows
    earlierBoots.merge(refill.earlierBoots) { $1 }
    for row in refill.entries {
      guard let entry = current(row, in: unrecorded) else { continue }
      insert(entry, at: now, isUnstored: entry.due != row.due)
    }
  }

  /// Where each clock is cut.
  package var horizons: [ClockID: EntryOrder] { windows.compactMapValues(\.end) }

  /// What comes after the head is added to it, but for what is `unrecorded`. Nothing is done where a horizon has moved
  /// since that was asked for.
  package mutating func extend(
    with rows: HeadExtension, at now: ClockReading, leavingOut unrecorded: [Int64: [RingRecord]] = [:]
  ) {
    guard rows.from.allSatisfy({ windows[$0.key]?.end == $0.value }) else { return }
    for clock in rows.from.keys { windows[clock]?.end = rows.ends[clock] }
    let waiting = beyond
    beyond = [:]
    for entry in waiting.values { insert(entry, at: now, isUnstored: true) }
    for row in rows.entries {
      guard let entry = current(row, in: unrecorded), !holds(entry.key) else { continue }
      insert(entry, at: now, isUnstored: entry.due != row.due)
    }
    while count > Self.capacity { evictLast(at: now) }
  }

  private func holds(_ key: EntryKey) -> Bool {
    items[key.number]?.contains { $0.entry.key == key } ?? false
  }

  private mutating func insert(_ entry: HeadEntry, at now: ClockReading, isUnstored: Bool) {
    let item = Item(
      entry: entry, delayed: entry.due.microseconds <= self.now(entry.due.clock, now), isUnstored: isUnstored)
    if covers(entry) { append(item) } else { keep(item) }
  }

  private mutating func keep(_ item: Item) {
    if item.isUnstored { beyond[item.entry.key.number] = item.entry }
  }

  /// Whether that moment has rung and is not known to be recorded, so that the database has it as still waiting;
  /// maybe on the wall clock by now, where countdowns of earlier boots are moved.
  package func isRung(_ entry: HeadEntry, in unrecorded: [Int64: [RingRecord]]) -> Bool {
    unrecorded[entry.key.number]?.contains { isRing($0, of: entry) } ?? false
  }

  private func isRing(_ ring: RingRecord, of entry: HeadEntry) -> Bool {
    ring.key == entry.key && (ring.due == entry.due || moved(ring.due) == moved(entry.due))
  }

  /// The entry as it is by the rings that the database does not have yet: what a recurring alarm waits for after the
  /// last of them. nil when nothing of it is to come.
  package func current(_ entry: HeadEntry, in unrecorded: [Int64: [RingRecord]]) -> HeadEntry? {
    // Those before it are in the database already, only their answer is still to come.
    let rings = unrecorded[entry.key.number, default: []].drop { !isRing($0, of: entry) }
      .filter { $0.key == entry.key }
    guard let last = rings.last else { return entry }
    guard let next = last.next else { return nil }
    return entry.next(at: next, after: rings.reduce(0) { $0 + $1.elapsed })
  }

  private func moved(_ due: DuePoint) -> DuePoint {
    guard let offset = earlierBoots[due.clock] else { return due }
    return .wall(Instant(microseconds: due.microseconds) + TimeSpan(microseconds: offset))
  }

  /// All of them, in no order.
  package var entries: [HeadEntry] { items.values.flatMap { $0.map(\.entry) } }

  /// Entries come in order from a refill; anything else is put in its place.
  private mutating func append(_ item: Item) {
    let order = item.entry.order
    var list = orders[item.entry.due.clock, default: []]
    orders[item.entry.due.clock] = []
    if let last = list.last, order < last {
      list.insert(order, at: Self.partition(list) { $0 < order })
    } else {
      list.append(order)
    }
    orders[item.entry.due.clock] = list
    items[item.entry.key.number, default: []].append(item)
    count += 1
  }

  /// One more moment of an alarm.
  ///
  /// - Parameter isUnstored: It follows from a ring that is not recorded.
  package mutating func add(_ entry: HeadEntry, at now: ClockReading, isUnstored: Bool = false) {
    insert(entry, at: now, isUnstored: isUnstored)
    if count > Self.capacity { evictLast(at: now) }
  }

  /// What was taken out and did not ring.
  package mutating func putBack(_ item: Item) { append(item) }

  /// A committed change: the alarm waits for these, and for nothing else, but for what is `unrecorded`.
  package mutating func set(
    _ number: Int64, waiting rows: [HeadEntry], at now: ClockReading,
    leavingOut unrecorded: [Int64: [RingRecord]] = [:]
  ) {
    remove(number)
    for row in rows {
      guard let entry = current(row, in: unrecorded) else { continue }
      add(entry, at: now, isUnstored: entry.due != row.due)
    }
  }

  /// Nothing of that alarm waits any more.
  package mutating func remove(_ number: Int64) {
    beyond[number] = nil
    for item in items.removeValue(forKey: number) ?? [] { unlist(item.entry) }
  }

  private mutating func unlist(_ entry: HeadEntry) {
    guard var list = orders[entry.due.clock] else { return }
    orders[entry.due.clock] = []
    let index = Self.partition(list) { $0 < entry.order }
    if index < list.count, list[index] == entry.order {
      list.remove(at: index)
      count -= 1
    }
    orders[entry.due.clock] = list
  }

  /// Takes out what is ``due(at:within:limit:leavingOut:)``.
  package mutating func take(
    dueAt now: ClockReading, within grace: TimeSpan? = nil, limit: Int = .max, leavingOut holds: Holds
  ) -> [Item] {
    let chosen = due(at: now, within: grace, limit: limit, leavingOut: holds)
    discard(chosen)
    return chosen
  }

  /// What is due at `now` and not held, earliest wall-clock time first.
  ///
  /// - Parameters:
  ///   - grace: only what came due no longer ago than this; nil for everything.
  ///   - limit: at most so many.
  package func due(
    at now: ClockReading, within grace: TimeSpan? = nil, limit: Int = .max, leavingOut holds: Holds
  ) -> [Item] {
    var found: [(from: TimeSpan, order: EntryOrder)] = []
    for (clock, list) in orders {
      let reading = self.now(clock, now)
      let first = grace.map { (Instant(microseconds: reading) - $0).microseconds } ?? .min
      let start = Self.partition(list) { $0.due < first }
      let end = Self.partition(list) { $0.due <= reading }
      var count = 0
      for order in list[start..<end] where !holds.contain(order.number) {
        guard count < limit else { break }
        found.append((Self.span(from: reading, to: order.due), order))
        count += 1
      }
    }
    found.sort { ($0.from, $0.order.number) < ($1.from, $1.order.number) }
    return found.prefix(limit).compactMap { item($0.order) }
  }

  /// A few are looked for one by one; many are removed in one pass over each clock's list, so that ten thousand due at
  /// once cost no square.
  private mutating func discard(_ chosen: [Item]) {
    for item in chosen {
      let number = item.entry.key.number
      if items[number]?.count == 1 {
        items[number] = nil
      } else {
        items[number]?.removeAll { $0.entry.key == item.entry.key }
        if items[number]?.isEmpty == true { items[number] = nil }
      }
    }
    if chosen.count <= Self.few {
      for item in chosen { unlist(item.entry) }
    } else {
      for (clock, list) in orders { orders[clock] = list.filter { hasItem($0) } }
      count = orders.values.reduce(0) { $0 + $1.count }
    }
  }

  private func hasItem(_ order: EntryOrder) -> Bool {
    items[order.number]?.contains { $0.entry.order == order } ?? false
  }

  /// Entries that came due while they were held back: their lateness has a reason.
  package mutating func markDelayed(_ numbers: NumberSet, at now: ClockReading) {
    for (clock, list) in orders {
      let end = Self.partition(list) { $0.due <= self.now(clock, now) }
      for order in list[..<end] where numbers.contains(order.number) {
        guard var group = items[order.number] else { continue }
        for index in group.indices where group[index].entry.order == order { group[index].delayed = true }
        items[order.number] = group
      }
    }
  }

  /// The wall-clock time, as the clocks stand now, of the first entry after `now` that is not left out.
  package func next(after now: ClockReading, leavingOut holds: Holds) -> Instant? {
    orders.compactMap { clock, list -> Instant? in
      let reading = self.now(clock, now)
      let start = Self.partition(list) { $0.due <= reading }
      guard let first = list[start...].first(where: { !holds.contain($0.number) }) else { return nil }
      return now.wall + Self.span(from: reading, to: first.due)
    }.min()
  }

  /// How many entries are due at `now`, held or not.
  package func overdueCount(at now: ClockReading) -> Int {
    orders.reduce(0) { sum, list in sum + Self.partition(list.value) { $0.due <= self.now(list.key, now) } }
  }

  /// Rows beyond the window to come exist in the database only.
  package var isCut: Bool { windows.values.contains { $0.end != nil } }
  /// Overdue rows exist that are in the database only.
  package var isOverdueCut: Bool { windows.values.contains { $0.overdueEnd != nil } }

  /// Microseconds that `clock` shows at `now`.
  package func now(_ clock: ClockID, _ now: ClockReading) -> Int64 {
    if clock == .wall { return now.wall.microseconds }
    if clock == currentBoot { return now.boot }
    return (now.wall - TimeSpan(microseconds: earlierBoots[clock] ?? 0)).microseconds
  }

  /// How long ago an entry came due; negative for one to come.
  package func lateness(of entry: HeadEntry, at now: ClockReading) -> TimeSpan {
    Self.span(from: entry.due.microseconds, to: self.now(entry.due.clock, now))
  }

  private static func span(from start: Int64, to end: Int64) -> TimeSpan {
    Instant(microseconds: end) - Instant(microseconds: start)
  }

  private func item(_ order: EntryOrder) -> Item? {
    items[order.number]?.first { $0.entry.order == order }
  }

  private func covers(_ entry: HeadEntry) -> Bool {
    guard let window = windows[entry.due.clock] else { return false }
    if entry.due.microseconds <= window.origin {
      return window.overdueEnd.map { entry.order <= $0 } ?? true
    }
    return window.end.map { entry.order <= $0 } ?? true
  }

  /// The entry furthest ahead goes, and the horizon of its clock moves before it.
  private mutating func evictLast(at now: ClockReading) {
    let last = orders.compactMap { clock, list in
      list.last.map { (from: Self.span(from: self.now(clock, now), to: $0.due), clock: clock, order: $0) }
    }.max { $0.from < $1.from }
    guard let last, let item = item(last.order) else { return }
    discard([item])
    keep(item)
    windows[last.clock]?.end = EntryOrder(
      due: last.order.due, number: last.order.number, occurrence: max(last.order.occurrence, .min + 1) - 1)
  }

  /// The first index whose element does not satisfy `belongsBefore`, by binary search.
  private static func partition(_ list: [EntryOrder], _ belongsBefore: (EntryOrder) -> Bool) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if belongsBefore(list[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
