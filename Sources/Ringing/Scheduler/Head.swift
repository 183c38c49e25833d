import Alarms
import EggTime

/// The waiting alarms that memory holds: on each clock all rows of the two windows of a ``Refill``, and no
/// row beyond them.
///
/// Ordered by (due, number, occurrence) within a clock; at most ``capacity`` entries in all, but for those that are
/// imminent. Pure. Rows may hold any number: all arithmetic is cut to what 64 bits hold.
package struct Head: Sendable {
  /// Entries held at most; a refill brings no more than that.
  package static let capacity = Refill.overdueLimit + Refill.waitingLimit
  /// … and while its horizon is imminent: of thousands that are due at once none is to wait until it is read.
  package static let widest = 16_384
  /// A horizon that is no further ahead is imminent.
  package static let imminence = TimeSpan.seconds(2)

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

  /// What of the rows to come is in the database only.
  package func gapToCome(at now: ClockReading) -> HeadGap {
    HeadGap(from: windows.compactMapValues(\.end), limit: min(HeadGap.limit, room(at: now)))
  }

  /// What of the overdue rows is in the database only.
  package var overdueGap: HeadGap {
    let cut = windows.filter { $0.value.overdueEnd != nil }
    return HeadGap(
      from: cut.compactMapValues(\.overdueEnd), origins: cut.mapValues(\.origin), limit: Refill.overdueLimit)
  }

  /// A window is continued, but for what is `unrecorded`. Nothing is done where its end has moved since that was
  /// asked for.
  package mutating func extend(
    with rows: HeadExtension, at now: ClockReading, leavingOut unrecorded: [Int64: [RingRecord]] = [:]
  ) {
    let gap = rows.gap
    let end = gap.isOverdue ? \Refill.Window.overdueEnd : \.end
    guard gap.from.allSatisfy({ windows[$0.key]?[keyPath: end] == $0.value }),
      gap.origins.allSatisfy({ windows[$0.key]?.origin == $0.value })
    else { return }
    for clock in gap.from.keys { windows[clock]?[keyPath: end] = rows.ends[clock] }
    let waiting = beyond
    beyond = [:]
    for entry in waiting.values { insert(entry, at: now, isUnstored: true) }
    for row in rows.entries {
      guard let entry = current(row, in: unrecorded), !holds(entry.key) else { continue }
      insert(entry, at: now, isUnstored: entry.due != row.due)
    }
    while isOverfull(at: now) { evictLast(at: now) }
  }

  private func isImminent(_ order: EntryOrder, on clock: ClockID, at now: ClockReading) -> Bool {
    Self.span(from: self.now(clock, now), to: order.due) <= Self.imminence
  }

  private func isOverfull(at now: ClockReading) -> Bool {
    guard count > Self.capacity else { return false }
    return count > Self.widest
      || orders.contains { clock, list in list.last.map { !isImminent($0, on: clock, at: now) } ?? false }
  }

  /// Whether what lies beyond the horizon may be due before it is read.
  package func endsSoon(at now: ClockReading) -> Bool {
    windows.contains { clock, window in window.end.map { isImminent($0, on: clock, at: now) } ?? false }
  }

  /// How many more it takes from beyond the horizon.
  package func room(at now: ClockReading) -> Int {
    (endsSoon(at: now) ? Self.widest : Self.capacity) - count
  }

  /// When its horizon becomes imminent, as the clocks stand now; nil where it is so already, or all is held.
  package func imminent(after now: ClockReading) -> Instant? {
    let moments = windows.compactMap { clock, window in
      window.end.map { now.wall + Self.span(from: self.now(clock, now), to: $0.due) - Self.imminence }
    }
    return moments.min().flatMap { $0 > now.wall ? $0 : nil }
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

  /// Whether that is the moment that rang; maybe on the wall clock by now, where countdowns of earlier boots are moved.
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
    if isOverfull(at: now) { evictLast(at: now) }
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
    for item in items.removeValue(forKey: number) ?? [] {
      unlist([item.entry.order], on: item.entry.due.clock)
    }
  }

  /// `gone` has the order of the list, which is gone through from the first of them to the last, once.
  private mutating func unlist(_ gone: [EntryOrder], on clock: ClockID) {
    guard let first = gone.first, var list = orders[clock] else { return }
    orders[clock] = []
    var index = Self.partition(list) { $0 < first }
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
  ///   - grace: only what came due no longer ago than this; nil for everything.
  ///   - limit: at most so many.
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
      let start = Self.partition(list) { $0.due < first }
      let end = Self.partition(list) { $0.due <= reading }
      var count = 0
      for order in list[start..<end] where !holds.contain(order.number) {
        guard count < limit else { break }
        found.append((Self.span(from: reading, to: order.due), clock, order))
        count += 1
      }
      if found.count > count { isMerged = true }
    }
    // Those of one clock are in order already.
    if isMerged { found.sort { ($0.from, $0.order.number) < ($1.from, $1.order.number) } }
    return found.count > limit ? Array(found[..<limit]) : found
  }

  /// Takes the item out, and leaves its place in the order.
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
    guard let last else { return }
    unlist([last.order], on: last.clock)
    if let item = pull(last.order, on: last.clock) { keep(item) }
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
