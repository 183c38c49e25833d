import Alarms
import EggTime

/// The schedule's state machine: an input and the time go in; a new state and effects come out.
///
/// No I/O. Called on the scheduler's queue only.
///
/// **Ring first, record second.** An alarm goes from memory to journal and bus, and to the store afterwards.
/// So a full, slow or stalled disk never delays or silences an alarm of the head. The price: an alarm rings
/// twice if eggd ends before the store has the ring. The other order would lose rings.
package struct Scheduler: Sendable {
  /// Older due moments are caught up with in slices; younger ones ring at once. Also the lateness from which
  /// a ring counts as late.
  package static let grace = TimeSpan.seconds(1)
  /// Rings per portion: the first of thousands ring before all are computed.
  package static let portion = 256
  /// Rings per slice of a catch-up.
  package static let sliceSize = 256
  /// Elapses counted per slice of a catch-up: some milliseconds of work.
  private static let sliceElapses: Int64 = 4_096
  /// The longest wait for the store's answer before the next slice.
  package static let slicePatience = TimeSpan.seconds(1)
  /// The timer is armed at most a year ahead, in µs.
  private static let furthest = TimeSpan.seconds(366 * 86_400)

  /// A slice whose records the store has not answered yet.
  private struct Slice: Sendable {
    var awaited: Set<Int64>
    /// On CLOCK_BOOTTIME, µs.
    var deadline: Int64
  }

  private var head: Head
  /// All moments that memory knows to be in the database, in no order: waiting ones, and those of unrecorded
  /// rings before they rang.
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
  /// Rings in the journal, in portions, and nowhere else yet.
  private var told: [Ring] = []
  /// More is due than has rung: wake at once.
  package private(set) var isRinging = false
  private var slice: Slice?
  /// A catch-up is running: its next slices join the bubble of the first.
  private var isCatchingUp = false
  private var refill = RefillState()
  /// The store was asked whether bubbles of unrecorded rings still ring.
  private var hasDoubtfulBubbles = false

  /// - Parameters:
  ///   - lastOccurrence: The greatest key in the table `occurrence`, or 0.
  ///   - rangUntil: The last ring that an earlier eggd could not record.
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

  /// Re-evaluates everything: the timer fired, the clocks changed, or eggd has just started.
  package mutating func wake(at now: ClockReading) -> [SchedulerEffect] { judge(now, []) }

  /// Holds alarms; see ``ScheduleObserver/hold(_:as:)``.
  package mutating func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
    holds[hold] = numbers
    return unrecorded(numbers)
  }

  /// Rings of these alarms that are not known to be recorded, each alarm's in ringing order: a later one ends
  /// an earlier one.
  package func unrecorded(_ numbers: NumberSet) -> [RingRecord] {
    unrecorded.of(numbers)
  }

  /// What nobody has answered is recorded when its commands have begun, or is found again by the next eggd.
  package var awaitsRecord: Bool { unrecorded.hasRings }

  /// Takes a message of the store's stream.
  package mutating func take(_ news: StoreNews, at now: ClockReading) -> [SchedulerEffect] {
    var effects: [SchedulerEffect] = []
    switch news {
    case .refilled(let read):
      // From another file or an import, they may be ahead of the clock.
      count(from: read.lastOccurrence, at: now)
      // The database still has unrecorded rings as waiting: they must not return from there.
      head.replace(with: read, at: now, leavingOut: unrecorded.byAlarm)
      refill.came()
    case .refillFailed:
      refill.failed(at: now)
    case .changed(let moments):
      for alarm in moments {
        count(from: alarm.lastOccurrence, at: now)
        head.set(alarm.number, waiting: alarm.waiting, at: now, leavingOut: unrecorded.byAlarm)
        let rung = unrecorded[alarm.number].filter(\.rang).map(\.occurrence)
        effects.append(.retain(number: alarm.number, ringing: alarm.ringing + rung, card: alarm.card))
      }
    case .holdEnded(let hold):
      // A change that was made has taken its alarms away by now: these are the others.
      if let numbers = holds.removeValue(forKey: hold) { head.markDelayed(numbers, at: now) }
    case .recorded(let records, let stored):
      slice?.awaited.subtract(records.map(\.occurrence))
      if stored {
        // What is left to wait for is told later; until then these are still in the head.
        for ring in records where ring.rang && unrecorded.contain(ring.occurrence) {
          head.endPatience(of: ring.key.number, before: ring.occurrence)
        }
        unrecorded.forget(records)
        if hasDoubtfulBubbles {
          hasDoubtfulBubbles = false
          effects.append(.checkBubbles)
        }
      }
    case .ended(let occurrences):
      // The database does not know unrecorded rings yet; they are checked again when it does.
      let ended = occurrences.filter { !unrecorded.contain($0) }
      if ended.count < occurrences.count { hasDoubtfulBubbles = true }
      effects.append(.end(ended))
    case .ringingUnknown:
      effects.append(.checkBubbles)
    case .ringing(let notices):
      // Due alarms go first.
      return judge(now, effects) + [.restore(notices)]
    }
    return judge(now, effects)
  }

  /// Keys of occurrences are moments and count up. A key beyond any possible clock comes from another program
  /// and leaves no room to count up.
  private mutating func count(from occurrence: Int64, at now: ClockReading) {
    guard occurrence <= (now.wall + Self.furthest).microseconds else { return }
    lastOccurrence = max(lastOccurrence, occurrence)
  }

  /// Rings everything that is due, then arms the timer for the next moment.
  private mutating func judge(_ now: ClockReading, _ before: [SchedulerEffect]) -> [SchedulerEffect] {
    var effects = before
    let change = interruptions.note(now)
    if let slept = change.slept { effects.append(.resumed(after: slept)) }
    if let step = change.stepped {
      effects.append(.clockStepped(by: step))
      // A step may make rows beyond the horizon due, and overdue rows future.
      if head.isCut || head.isOverdueCut { refill.isWanted = true }
    }
    // Due alarms go before those that are caught up with.
    let fresh = head.take(dueAt: now, within: Self.grace, limit: Self.portion, leavingOut: holds)
    if fresh.count == Self.portion {
      told.reserveCapacity(told.count + fresh.count + head.overdueCount(at: now))
    }
    told += ring(fresh, at: now, &effects)
    // Alarms that recur faster than they can be announced must not block the effects of the others.
    isRinging = fresh.count == Self.portion && told.count < Head.widest
    if !isRinging {
      finish(told, joining: false, &effects)
      told = []
      catchUp(at: now, &effects)
      if let size = refill.question(head: head, unrecorded: unrecorded.count, at: now) {
        effects.append(.refill(size))
      }
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
    if !Self.rung(of: rung).isEmpty { isCatchingUp = true }
    // Not the earlier ones: a failed record is answered only once.
    slice = Slice(
      awaited: Set(rung.map(\.record.occurrence)), deadline: now.boot + Self.slicePatience.microseconds)
  }

  /// - Parameter most: The number of elapses to count before stopping; the rest returns to the head.
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
      let key = item.entry.key
      if item.entry.unanswered != nil,
        unrecorded[key.number].contains(where: { $0.rang && $0.occurrence > key.occurrence })
      {
        // Another ring has taken its place, which the store does not know yet.
        continue
      }
      let ring = Ring(record: record(item, at: now), card: item.entry.card, unanswered: item.entry.unanswered)
      counted += ring.record.elapsed
      rings.append(ring)
      unrecorded.append(ring.record, of: item.entry)
      // From memory, so that it rings even when the store takes nothing.
      if let next = ring.record.next {
        let entry = item.entry.next(at: next, ahead: ring.record.nextAhead, after: ring.record.used)
        head.add(entry, at: now)
      }
    }
    let rung = Self.rung(of: rings)
    if !rung.isEmpty { effects.append(.journal(rung)) }
    return rings
  }

  /// The effects after the journal's.
  private func finish(_ rings: [Ring], joining: Bool, _ effects: inout [SchedulerEffect]) {
    guard !rings.isEmpty else { return }
    let rung = Self.rung(of: rings)
    if !rung.isEmpty { effects.append(.show(rung, joining: joining)) }
    if rung.count < rings.count {
      let missed = rings.filter { $0.record.outcome == .missed }
      if !missed.isEmpty { effects.append(.journalMissed(missed)) }
      let unanswered = rings.filter { $0.unanswered != nil }
      if !unanswered.isEmpty { effects.append(.unanswered(unanswered)) }
    }
    let records = rings.filter { $0.unanswered == nil }.map(\.record)
    if !records.isEmpty { effects.append(.record(records)) }
  }

  private static func rung(of rings: [Ring]) -> [Ring] {
    rings.allSatisfy(\.record.rang) ? rings : rings.filter(\.record.rang)
  }

  private mutating func record(_ item: Head.Item, at now: ClockReading) -> RingRecord {
    let entry = item.entry
    let late = head.lateness(of: entry, at: now)
    let dueAt = now.wall - late
    if entry.unanswered != nil {
      return RingRecord(
        occurrence: entry.key.occurrence, key: entry.key, due: entry.due, dueAt: dueAt, firedAt: now.wall,
        lateness: late, reason: nil, outcome: .unanswered)
    }
    var occurrence = entry.key.occurrence
    if occurrence == 0 {
      lastOccurrence = max(lastOccurrence + 1, now.wall.microseconds)
      // Odd keys are the store's own, possibly being written while this ring is on its way.
      lastOccurrence += lastOccurrence & 1
      occurrence = lastOccurrence
    }
    var reason: LateReason?
    if late > .zero {
      let boot = entry.due.clock == currentBoot ? entry.due.microseconds : nil
      reason = entry.isPastByZone ? .zoneChange : interruptions.reason(wall: dueAt, onBoot: boot)
      // It rang at its moment, and that could not be recorded.
      if reason == .down, let rangUntil, dueAt <= rangUntil { reason = .store }
      if reason == nil, late > Self.grace {
        let isGivenPast = item.delayed && interruptions.wasJustSetBack(past: dueAt)
        reason = isGivenPast ? .clockStep : item.delayed ? .store : .busy
      }
    }
    var record = RingRecord(
      occurrence: occurrence, key: entry.key, due: entry.due, dueAt: dueAt, ahead: entry.ahead,
      firedAt: now.wall,
      lateness: late, reason: reason)
    // The leads of a countdown are on a boot's clock.
    let clock = entry.recurrence?.isOnce == true ? entry.due.clock : .wall
    let onClock = Instant(microseconds: head.now(clock, now))
    let course = entry.recurrence?.course(from: onClock - late, to: onClock)
    if let course {
      record.elapsed = course.elapsed
      record.lastAt = dueAt + (course.last - (onClock - late))
      record.used = course.used
      record.next = course.next.map { DuePoint(clock: clock, microseconds: $0.ring.microseconds) }
      record.nextAhead = course.next?.ahead ?? .zero
    }
    if entry.key.occurrence == 0, let most = entry.ifMissed.mostLate, late > most {
      let rings = course.flatMap { entry.recurrence?.hasElapsed(within: most, of: onClock, $0) } ?? false
      if !rings { record.outcome = .missed }
    }
    if record.rang {
      record.unanswered = entry.card.patience.map {
        DuePoint(clock: currentBoot, microseconds: now.boot + $0.microseconds)
      }
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
