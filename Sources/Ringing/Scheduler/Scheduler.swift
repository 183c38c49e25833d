import Alarms
import EggTime

/// The schedule's state machine: an input and the time go in, a new state and a list of effects come out.
///
/// It performs no I/O and is called on the scheduler's queue only.
///
/// **Ring first, record second.** An alarm goes to journal and bus straight from memory and to the store
/// afterwards: a full, slow or stalled disk never delays or silences an alarm of the head. The price is that an
/// alarm rings twice if eggd ends before the store has the ring; the other order would cost rings.
package struct Scheduler: Sendable {
  /// What was due longer ago than this is caught up with, in slices; the rest rings at once. Also the lateness
  /// from which a ring counts as late.
  package static let grace = TimeSpan.seconds(1)
  /// So many ring at once: the first of thousands do not wait until all are worked out.
  package static let portion = 256
  /// Rings in one slice of a catch-up.
  package static let sliceSize = 256
  /// Elapses of recurring alarms that one slice of a catch-up counts before it ends: some milliseconds.
  private static let sliceElapses: Int64 = 4_096
  /// The next slice waits for the store's answer to the last, but no longer than this.
  package static let slicePatience = TimeSpan.seconds(1)
  /// The timer is armed no further ahead, in µs: a year.
  private static let furthest = TimeSpan.seconds(366 * 86_400)

  /// A slice of a catch-up whose records the store has not answered yet.
  private struct Slice: Sendable {
    var awaited: Set<Int64>
    /// On CLOCK_BOOTTIME, µs.
    var deadline: Int64
  }

  private var head: Head
  /// All moments that memory knows the database to have, in no order: what waits, and what rang and is not known to be
  /// recorded, as it was before that.
  package var stored: [HeadEntry] {
    let first = unrecorded.firstEntries
    return Array(first.values) + head.entries.filter { first[$0.key] == nil }
  }
  private var interruptions: Interruptions
  private let currentBoot: ClockID
  private let rangUntil: Instant?
  private var holds = Holds()
  /// Rung, and not known to be recorded.
  private var unrecorded = UnrecordedRings()
  private var lastOccurrence: Int64
  /// Told in portions to the journal, and to nobody else yet.
  private var told: [Ring] = []
  /// More is due than has rung: to be woken at once.
  package private(set) var isRinging = false
  private var slice: Slice?
  /// A catch-up is under way: its further slices join the bubble of its first.
  private var isCatchingUp = false
  private var refill = RefillState()
  /// Of bubbles of unrecorded rings it was asked whether they still ring.
  private var hasDoubtfulBubbles = false

  /// - Parameters:
  ///   - lastOccurrence: The greatest key in the table `occurrence`, or 0.
  ///   - rangUntil: Until then an eggd before this one ran, and could not record what rang.
  package init(
    currentBoot: ClockID, lastOccurrence: Int64, started: ClockReading, rangUntil: Instant? = nil
  ) {
    self.rangUntil = rangUntil
    head = Head(currentBoot: currentBoot)
    interruptions = Interruptions(started: started)
    self.currentBoot = currentBoot
    self.lastOccurrence = 0
    count(from: lastOccurrence, at: started)
  }

  /// The timer fired, the clocks changed, or eggd has just been started: everything is judged anew.
  package mutating func wake(at now: ClockReading) -> [SchedulerEffect] { judge(now, []) }

  /// The alarms do not ring until the hold ends; see ``ScheduleObserver/hold(_:as:)``.
  package mutating func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
    holds.begin(hold, numbers)
    return unrecorded(numbers)
  }

  /// Rings of these alarms that happened and are not known to be recorded, those of each in the order in which it rang: a
  /// later one ends an earlier one.
  package func unrecorded(_ numbers: NumberSet) -> [RingRecord] {
    unrecorded.of(numbers)
  }

  /// Whether something rang that is not known to be recorded.
  package var awaitsRecord: Bool { !unrecorded.isEmpty }

  /// One message of the store's stream.
  package mutating func take(_ news: StoreNews, at now: ClockReading) -> [SchedulerEffect] {
    var effects: [SchedulerEffect] = []
    switch news {
    case .refilled(let read):
      // Of another file, or of an import, they may be ahead of the clock.
      count(from: read.lastOccurrence, at: now)
      // What is rung and not recorded is in the database as still waiting: it must not come back from there.
      head.replace(with: read, at: now, leavingOut: unrecorded.byAlarm)
      refill.came()
    case .extended(let beyond):
      head.extend(with: beyond, at: now, leavingOut: unrecorded.byAlarm)
      refill.came()
    case .refillFailed:
      refill.failed(at: now)
    case .changed(let moments):
      for alarm in moments {
        count(from: alarm.lastOccurrence, at: now)
        head.set(alarm.number, waiting: alarm.waiting, at: now, leavingOut: unrecorded.byAlarm)
        let rung = unrecorded[alarm.number].map(\.occurrence)
        effects.append(.retain(number: alarm.number, ringing: alarm.ringing + rung))
      }
    case .holdEnded(let hold):
      // A change that was made has taken its alarms away by now: these are the others.
      if let numbers = holds.end(hold) { head.markDelayed(numbers, at: now) }
    case .recorded(let records, let stored):
      slice?.awaited.subtract(records.map(\.occurrence))
      if stored {
        unrecorded.forget(records)
        if hasDoubtfulBubbles {
          hasDoubtfulBubbles = false
          effects.append(.checkBubbles)
        }
      }
    case .ended(let occurrences):
      // The database cannot know yet what is not recorded: it is asked again when it does.
      let ended = occurrences.filter { !unrecorded.contain($0) }
      if ended.count < occurrences.count { hasDoubtfulBubbles = true }
      effects.append(.end(ended))
    case .ringingUnknown:
      effects.append(.checkBubbles)
    case .ringing(let notices, let isLast):
      // What is due goes first.
      return judge(now, effects) + [.restore(notices, isLast: isLast)]
    case .bubblesLeft(let bubbles):
      effects.append(.leave(bubbles))
    }
    return judge(now, effects)
  }

  /// Keys of occurrences are moments and count up. One that is further ahead than a clock can have stood is another
  /// program's: from such a one nothing could count up for long.
  private mutating func count(from occurrence: Int64, at now: ClockReading) {
    guard occurrence <= (now.wall + Self.furthest).microseconds else { return }
    lastOccurrence = max(lastOccurrence, occurrence)
  }

  /// Everything that is due now rings; then the timer is armed for what comes next.
  private mutating func judge(_ now: ClockReading, _ before: [SchedulerEffect]) -> [SchedulerEffect] {
    var effects = before
    let change = interruptions.note(now)
    if let slept = change.slept { effects.append(.resumed(after: slept)) }
    if let step = change.stepped {
      effects.append(.clockStepped(by: step))
      // Rows beyond the horizon of the wall clock can be due by now, and overdue ones are to come again.
      if head.isCut || head.isOverdueCut { refill.isWanted = true }
    }
    // What is due now goes before what is being caught up with.
    let fresh = head.take(dueAt: now, within: Self.grace, limit: Self.portion, leavingOut: holds)
    if fresh.count == Self.portion {
      told.reserveCapacity(told.count + fresh.count + head.overdueCount(at: now))
    }
    told += ring(fresh, at: now, &effects)
    // Alarms that recur faster than they can be told do not keep the others from the rest.
    isRinging = fresh.count == Self.portion && told.count < Head.widest
    if !isRinging {
      finish(told, joining: false, &effects)
      told = []
      catchUp(at: now, &effects)
    }
    switch refill.question(head: head, at: now) {
    case .refill: effects.append(.refill)
    case .gap(let gap):
      // So that it is read while the rest is done with those that are due now.
      let isTold = effects.firstIndex { if case .journal = $0 { true } else { false } }
      effects.insert(.extend(gap), at: isTold.map { $0 + 1 } ?? 0)
    case nil: break
    }
    effects.append(.arm(nextWake(now)))
    return effects
  }

  private mutating func catchUp(at now: ClockReading, _ effects: inout [SchedulerEffect]) {
    if let slice, !slice.awaited.isEmpty, now.boot < slice.deadline { return }
    slice = nil
    let overdue = head.take(dueAt: now, limit: Self.sliceSize, leavingOut: holds)
    guard !overdue.isEmpty else {
      if !head.isOverdueCut { isCatchingUp = false }
      return
    }
    let rung = ring(overdue, at: now, counting: Self.sliceElapses, &effects)
    finish(rung, joining: isCatchingUp, &effects)
    isCatchingUp = true
    // Not of those before it: what could not be stored is answered once.
    slice = Slice(
      awaited: Set(rung.map(\.record.occurrence)), deadline: now.boot + Self.slicePatience.microseconds)
  }

  /// - Parameter most: So many elapses are counted at least; what is left then goes back into the head.
  /// - Returns: What rang or was missed.
  private mutating func ring(
    _ items: [Head.Item], at now: ClockReading, counting most: Int64 = .max,
    _ effects: inout [SchedulerEffect]
  ) -> [Ring] {
    var rings: [Ring] = []
    rings.reserveCapacity(items.count)
    var counted: Int64 = 0
    for item in items {
      guard counted < most else {
        head.putBack(item)
        continue
      }
      let ring = Ring(record: record(item, at: now), card: item.entry.card)
      counted += ring.record.elapsed
      rings.append(ring)
      unrecorded.append(ring.record, of: item.entry)
      // From memory, so that it rings while the store takes nothing.
      if let next = ring.record.next {
        head.add(item.entry.next(at: next, after: ring.record.elapsed), at: now, isUnstored: true)
      }
    }
    let rung = Self.rung(of: rings)
    if !rung.isEmpty { effects.append(.journal(rung)) }
    return rings
  }

  /// What follows once the journal was told.
  private func finish(_ rings: [Ring], joining: Bool, _ effects: inout [SchedulerEffect]) {
    guard !rings.isEmpty else { return }
    let rung = Self.rung(of: rings)
    if !rung.isEmpty { effects.append(.show(rung, joining: joining)) }
    if rung.count < rings.count { effects.append(.journalMissed(rings.filter { !$0.record.rang })) }
    effects.append(.record(rings.map(\.record)))
  }

  private static func rung(of rings: [Ring]) -> [Ring] {
    rings.allSatisfy(\.record.rang) ? rings : rings.filter(\.record.rang)
  }

  private mutating func record(_ item: Head.Item, at now: ClockReading) -> RingRecord {
    let entry = item.entry
    let late = head.lateness(of: entry, at: now)
    let dueAt = now.wall - late
    var occurrence = entry.key.occurrence
    if occurrence == 0 {
      lastOccurrence = max(lastOccurrence + 1, now.wall.microseconds)
      // Odd ones are what the store notes by itself, maybe while this ring is on its way there.
      lastOccurrence += lastOccurrence & 1
      occurrence = lastOccurrence
    }
    var reason: LateReason?
    if late > .zero {
      let boot = entry.due.clock == currentBoot ? entry.due.microseconds : nil
      reason = entry.isPastByZone ? .zoneChange : interruptions.reason(wall: dueAt, onBoot: boot)
      // It rang at its moment, and that could not be recorded.
      if reason == .down, let rangUntil, dueAt <= rangUntil { reason = .store }
      if reason == nil, late > Self.grace { reason = item.delayed ? .store : .busy }
    }
    var record = RingRecord(
      occurrence: occurrence, key: entry.key, due: entry.due, dueAt: dueAt, firedAt: now.wall, lateness: late,
      reason: reason)
    let course = entry.recurrence?.course(from: dueAt, to: now.wall)
    if let course {
      record.elapsed = course.elapsed
      record.next = course.next.map { .wall($0) }
    }
    if entry.key.occurrence == 0, let most = entry.ifMissed.mostLate, late > most {
      record.rang = course.flatMap { entry.recurrence?.hasElapsed(within: most, of: now.wall, $0) } ?? false
    }
    return record
  }

  private func nextWake(_ now: ClockReading) -> Instant? {
    if isRinging { return now.wall }
    var moments: [Instant] = []
    if let next = head.next(after: now, leavingOut: holds) { moments.append(next) }
    if let slice { moments.append(now.wall + TimeSpan(microseconds: max(slice.deadline - now.boot, 0))) }
    if head.count >= RefillState.low, let imminent = head.imminent(after: now) { moments.append(imminent) }
    if let retry = refill.retryAt {
      moments.append(now.wall + TimeSpan(microseconds: max(retry - now.boot, 0)))
    }
    return moments.min().map { min($0, now.wall + Self.furthest) }
  }
}
