import Alarms
import EggTime

/// The waiting alarms in memory: for each clock, exactly the rows in the two windows of a ``Refill``.
///
/// Ordered by (due, number, occurrence) within a clock. Holds at most ``capacity`` entries, plus imminent
/// ones. Pure. Rows may hold any number, so all arithmetic saturates.
package struct Head: Sendable {
  package static let capacity = Refill.Size.usual.overdue + Refill.Size.usual.waiting
  /// The limit while the horizon is imminent: none of thousands due at once waits to be read.
  package static let widest = 16_384
  /// A horizon closer than this is imminent.
  package static let imminence = TimeSpan.seconds(2)

  package struct Item: Equatable, Sendable {
    package var entry: HeadEntry
    /// It was read, or its hold ended, after its moment.
    package var delayed = false
  }

  /// Ascending, by clock.
  private var orders: [ClockID: [EntryOrder]] = [:]
  /// By alarm: one entry, or several if the alarm waits and is snoozed.
  private var items: [Int64: [Item]] = [:]
  private var windows: [ClockID: Refill.Window] = [:]
  /// Wall clock minus boot clock. Never removed: an unrecorded ring may name a boot whose rows have moved.
  private var earlierBoots: [ClockID: Int64] = [:]
  private let currentBoot: ClockID
  /// On all clocks.
  package private(set) var count = 0

  /// Covers nothing until refilled.
  package init(currentBoot: ClockID) { self.currentBoot = currentBoot }

  /// Replaces everything by a refill, without the `unrecorded` entries.
  package mutating func replace(
    with refill: Refill, at now: ClockReading, leavingOut unrecorded: [Int64: [RingRecord]] = [:]
  ) {
    orders = [:]
    items = [:]
    count = 0
    windows = refill.windows
    earlierBoots.merge(refill.earlierBoots) { $1 }
    for row in refill.entries {
      if let entry = current(row, in: unrecorded) { add(entry, at: now) }
    }
  }

  private func isImminent(_ order: EntryOrder, on clock: ClockID, at now: ClockReading) -> Bool {
    Self.span(from: self.now(clock, now), to: order.due) <= Self.imminence
  }

  private func isOverfull(at now: ClockReading) -> Bool {
    guard count > Self.capacity else { return false }
    return count > Self.widest
      || orders.contains { clock, list in list.last.map { !isImminent($0, on: clock, at: now) } ?? false }
  }

  /// Whether rows beyond the horizon may be due before they are read.
  package func endsSoon(at now: ClockReading) -> Bool {
    windows.contains { clock, window in window.end.map { isImminent($0, on: clock, at: now) } ?? false }
  }

  /// How many entries it takes from beyond the horizon.
  package func room(at now: ClockReading) -> Int {
    (endsSoon(at: now) ? Self.widest : Self.capacity) - count
  }

  /// When its horizon becomes imminent by the present clocks; nil if it already is, or if everything is held.
  package func imminent(after now: ClockReading) -> Instant? {
    let moments = windows.compactMap { clock, window in
      window.end.map { now.wall + Self.span(from: self.now(clock, now), to: $0.due) - Self.imminence }
    }
    return moments.min().flatMap { $0 > now.wall ? $0 : nil }
  }

  /// Whether the entry is the moment that rang. It may be on the wall clock now, because countdowns of
  /// earlier boots move there.
  private func isRing(_ ring: RingRecord, of entry: HeadEntry) -> Bool {
    ring.key == entry.key && (ring.due == entry.due || moved(ring.due) == moved(entry.due))
  }

  /// The entry after the rings that are not in the database yet: a recurring alarm's moment after the last of
  /// them. nil if none is left.
  package func current(_ entry: HeadEntry, in unrecorded: [Int64: [RingRecord]]) -> HeadEntry? {
    // Those before it are in the database already, only their answer is still to come.
    let rings = unrecorded[entry.key.number, default: []].drop { !isRing($0, of: entry) }
      .filter { $0.key == entry.key }
    guard let last = rings.last else { return entry }
    guard let next = last.next else { return nil }
    return entry.next(at: next, ahead: last.nextAhead, after: rings.reduce(0) { $0 + $1.used })
  }

  private func moved(_ due: DuePoint) -> DuePoint {
    guard let offset = earlierBoots[due.clock] else { return due }
    return .wall(Instant(microseconds: due.microseconds) + TimeSpan(microseconds: offset))
  }

  /// In no order.
  package var entries: [HeadEntry] { items.values.flatMap { $0.map(\.entry) } }

  /// A refill's entries arrive in order; others are inserted at their places.
  private mutating func append(_ item: Item) {
    let order = item.entry.order
    var list = orders[item.entry.due.clock, default: []]
    orders[item.entry.due.clock] = []
    if let last = list.last, order < last {
      list.insert(order, at: list.partitioningIndex { $0 >= order })
    } else {
      list.append(order)
    }
    orders[item.entry.due.clock] = list
    items[item.entry.key.number, default: []].append(item)
    count += 1
  }

  /// Adds a moment of an alarm. One beyond the horizon comes with a refill.
  package mutating func add(_ entry: HeadEntry, at now: ClockReading) {
    guard covers(entry) else { return }
    append(Item(entry: entry, delayed: entry.due.microseconds <= self.now(entry.due.clock, now)))
    if isOverfull(at: now) { evictLast(at: now) }
  }

  /// Returns an item that was taken out and did not ring.
  package mutating func putBack(_ item: Item) { append(item) }

  /// Applies a committed change: the alarm waits for exactly these, without the `unrecorded` ones.
  package mutating func set(
    _ number: Int64, waiting rows: [HeadEntry], at now: ClockReading,
    leavingOut unrecorded: [Int64: [RingRecord]] = [:]
  ) {
    remove(number)
    for row in rows {
      if let entry = current(row, in: unrecorded) { add(entry, at: now) }
    }
  }

  package mutating func remove(_ number: Int64) {
    for item in items.removeValue(forKey: number) ?? [] {
      unlist([item.entry.order], on: item.entry.due.clock)
    }
  }

  /// Rings of that alarm before `occurrence` wait for no answer any more.
  package mutating func endPatience(of number: Int64, before occurrence: Int64) {
    guard let group = items[number] else { return }
    func isOver(_ item: Item) -> Bool {
      item.entry.unanswered != nil && item.entry.key.occurrence < occurrence
    }
    for item in group where isOver(item) { unlist([item.entry.order], on: item.entry.due.clock) }
    let kept = group.filter { !isOver($0) }
    items[number] = kept.isEmpty ? nil : kept
  }

  /// `gone` must be in list order; one pass over the list.
  private mutating func unlist(_ gone: [EntryOrder], on clock: ClockID) {
    guard let first = gone.first, var list = orders[clock] else { return }
    orders[clock] = []
    var index = list.partitioningIndex { $0 >= first }
    var kept = index
    var left = gone[...]
    while let next = left.first, index < list.count, list[index] <= next {
      if list[index] == next {
        left.removeFirst()
      } else {
        list[kept] = list[index]
        kept += 1
      }
      index += 1
    }
    list.removeSubrange(kept..<index)
    count -= index - kept
    orders[clock] = list
  }

  /// Takes out what is due at `now` and not held, earliest wall-clock time first.
  ///
  /// - Parameters:
  ///   - grace: The age limit of the due moment; nil for none.
  ///   - limit: The maximum number of items.
  package mutating func take(
    dueAt now: ClockReading, within grace: TimeSpan? = nil, limit: Int = .max, leavingOut holds: Holds
  ) -> [Item] {
    let chosen = places(dueAt: now, within: grace, limit: limit, leavingOut: holds)
    var taken: [Item] = []
    taken.reserveCapacity(chosen.count)
    for place in chosen {
      if let item = pull(place.order, on: place.clock) { taken.append(item) }
    }
    for clock in orders.keys { unlist(chosen.filter { $0.clock == clock }.map(\.order), on: clock) }
    return taken
  }

  private typealias Place = (from: TimeSpan, clock: ClockID, order: EntryOrder)

  private func places(
    dueAt now: ClockReading, within grace: TimeSpan?, limit: Int, leavingOut holds: Holds
  ) -> [Place] {
    var found: [Place] = []
    var isMerged = false
    for (clock, list) in orders {
      let reading = self.now(clock, now)
      let first = grace.map { (Instant(microseconds: reading) - $0).microseconds } ?? .min
      let start = list.partitioningIndex { $0.due >= first }
      let end = list.partitioningIndex { $0.due > reading }
      var count = 0
      for order in list[start..<end] where !holds.contain(order.number) {
        guard count < limit else { break }
        found.append((Self.span(from: reading, to: order.due), clock, order))
        count += 1
      }
      if found.count > count { isMerged = true }
    }
    // Items of one clock are already in order.
    if isMerged { found.sort { ($0.from, $0.order.number) < ($1.from, $1.order.number) } }
    return found.count > limit ? Array(found[..<limit]) : found
  }

  /// Takes the item out but leaves its place in the order.
  private mutating func pull(_ order: EntryOrder, on clock: ClockID) -> Item? {
    guard var group = items.removeValue(forKey: order.number) else { return nil }
    guard let index = group.firstIndex(where: { $0.entry.order == order && $0.entry.due.clock == clock })
    else {
      items[order.number] = group
      return nil
    }
    let item = group.remove(at: index)
    if !group.isEmpty { items[order.number] = group }
    return item
  }

  /// Marks entries that came due during a hold: this is the reason of their lateness.
  package mutating func markDelayed(_ numbers: NumberSet, at now: ClockReading) {
    for (clock, list) in orders {
      let end = list.partitioningIndex { $0.due > self.now(clock, now) }
      for order in list[..<end] where numbers.contains(order.number) {
        guard var group = items[order.number] else { continue }
        for index in group.indices where group[index].entry.order == order { group[index].delayed = true }
        items[order.number] = group
      }
    }
  }

  /// The wall-clock time, by the present clocks, of the first entry after `now` that is not held.
  package func next(after now: ClockReading, leavingOut holds: Holds) -> Instant? {
    orders.compactMap { clock, list -> Instant? in
      let reading = self.now(clock, now)
      let start = list.partitioningIndex { $0.due > reading }
      guard let first = list[start...].first(where: { !holds.contain($0.number) }) else { return nil }
      return now.wall + Self.span(from: reading, to: first.due)
    }.min()
  }

  /// Held ones included.
  package func overdueCount(at now: ClockReading) -> Int {
    orders.reduce(0) { sum, list in sum + list.value.partitioningIndex { $0.due > self.now(list.key, now) } }
  }

  /// Some future rows exist only in the database.
  package var isCut: Bool { windows.values.contains { $0.end != nil } }
  /// Some overdue rows exist only in the database.
  package var isOverdueCut: Bool { windows.values.contains { $0.overdueEnd != nil } }

  /// The µs that `clock` shows at `now`.
  package func now(_ clock: ClockID, _ now: ClockReading) -> Int64 {
    if clock == .wall { return now.wall.microseconds }
    if clock == currentBoot { return now.boot }
    return (now.wall - TimeSpan(microseconds: earlierBoots[clock] ?? 0)).microseconds
  }

  /// Time since the entry came due; negative before.
  package func lateness(of entry: HeadEntry, at now: ClockReading) -> TimeSpan {
    Self.span(from: entry.due.microseconds, to: self.now(entry.due.clock, now))
  }

  private static func span(from start: Int64, to end: Int64) -> TimeSpan {
    Instant(microseconds: end) - Instant(microseconds: start)
  }

  private func covers(_ entry: HeadEntry) -> Bool {
    guard let window = windows[entry.due.clock] else { return false }
    if entry.due.microseconds <= window.origin {
      return window.overdueEnd.map { entry.order <= $0 } ?? true
    }
    return window.end.map { entry.order <= $0 } ?? true
  }

  /// Removes the entry furthest ahead and moves its clock's horizon before it.
  private mutating func evictLast(at now: ClockReading) {
    let last = orders.compactMap { clock, list in
      list.last.map { (from: Self.span(from: self.now(clock, now), to: $0.due), clock: clock, order: $0) }
    }.max { $0.from < $1.from }
    guard let last else { return }
    unlist([last.order], on: last.clock)
    _ = pull(last.order, on: last.clock)
    windows[last.clock]?.end = EntryOrder(
      due: last.order.due, number: last.order.number, occurrence: max(last.order.occurrence, .min + 1) - 1)
  }
}
