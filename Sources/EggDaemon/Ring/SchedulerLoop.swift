import Dispatch
import EggStore
import EggTime
import LinuxIO
import Ringing

/// Runs the scheduler: feeds it the timer, the clocks and the store's stream, and performs its effects.
/// Confined to the scheduler's queue, on which nothing blocks. The store calls it through
/// ``ScheduleObserver``.
package final class SchedulerLoop: ScheduleObserver, @unchecked Sendable {
  let queue: DispatchQueue
  private let clock: any Clock
  let store: AlarmStore
  let journal: Journal
  private let notifier: DesktopNotifier
  private let hooks: HookRunner?
  private let timer: WakeTimer
  private var watcher: ClockWatcher?
  private(set) var scheduler: Scheduler
  private var onFirstHead: (() -> Void)?
  private let onClockStep: () -> Void
  private var isStarted = false
  /// The store's messages before the start.
  private var early: [StoreNews] = []
  /// Of alarms without their own, from now on.
  var words: RingWords
  private var isStopped = false
  /// Entries that journald took at once. Their marks go to the store with the records of these rings.
  private var journaled: [RingMark] = []

  /// - Parameters:
  ///   - queue: The scheduler's own, serial; `notifier` is on it too.
  ///   - onFirstHead: Called on that queue once, when the head was read and its due alarms have rung, or when
  ///     it cannot be read. Clients are served from then on.
  ///   - onClockStep: Called on that queue when the wall clock was set: countdowns have moved on it.
  package init(
    queue: DispatchQueue, clock: any Clock, store: AlarmStore, journal: Journal, notifier: DesktopNotifier,
    hooks: HookRunner? = nil, words: RingWords = .standard, onFirstHead: @escaping () -> Void,
    onClockStep: @escaping () -> Void
  ) {
    self.queue = queue
    self.clock = clock
    self.store = store
    self.journal = journal
    self.notifier = notifier
    self.hooks = hooks
    self.words = words
    self.onFirstHead = onFirstHead
    self.onClockStep = onClockStep
    timer = WakeTimer(queue: queue, clock: clock)
    scheduler = Scheduler(
      currentBoot: store.currentBoot, lastOccurrence: store.lastOccurrence, started: clock.read(),
      rangUntil: store.rangUntil)
  }

  /// Reads the head and rings from then on. Once, on the queue.
  package func start() {
    dispatchPrecondition(condition: .onQueue(queue))
    timer.onWake = { [unowned self] in wake() }
    watcher = ClockWatcher(queue: queue) { [unowned self] in wake() }
    isStarted = true
    wake()
    let told = early
    early = []
    told.forEach(take)
  }

  /// Stops ringing; the store has all rings. On the queue.
  package func stop() {
    dispatchPrecondition(condition: .onQueue(queue))
    isStopped = true
    timer.arm(nil)
    watcher = nil
  }

  package func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
    queue.sync { scheduler.hold(numbers, as: hold) }
  }

  package func takeUp(_ head: Refill) {
    queue.sync { if isStarted { take(.refilled(head)) } else { early.append(.refilled(head)) } }
  }

  package func unrecorded(_ numbers: NumberSet) -> [RingRecord] {
    queue.sync { scheduler.unrecorded(numbers) }
  }

  package func stored() -> [HeadEntry] { queue.sync { scheduler.stored } }

  package func deliver(_ news: StoreNews) {
    queue.async { [self] in
      // Nothing rings before the resumption.
      if isStarted { take(news) } else { early.append(news) }
    }
  }

  private func take(_ news: StoreNews) {
    guard !isStopped else { return }
    perform(scheduler.take(news, at: clock.read()))
    if news.answersRefill, let ready = onFirstHead {
      onFirstHead = nil
      ready()
    }
  }

  private func wake() {
    guard !isStopped else { return }
    perform(scheduler.wake(at: clock.read()))
  }

  private func perform(_ effects: [SchedulerEffect]) {
    performOnce(effects)
    while scheduler.isRinging { performOnce(scheduler.wake(at: clock.read())) }
  }

  private func performOnce(_ effects: [SchedulerEffect]) {
    var ringing: [Notice] = []
    for effect in effects {
      switch effect {
      case .journal(let rings): write(rings)
      case .journalMissed(let rings):
        for ring in rings { journal.missed(Notice(ring)) }
      case .show(let rings, let joins):
        let notices = notices(rings)
        notifier.show(notices, joins: joins)
        ringing += notices
      case .unanswered(let rings):
        for ring in rings {
          guard let notice = ring.unanswered?.saying(words) else { continue }
          journal.unanswered(notice)
          let record: @Sendable () -> Void = { [self] in queue.async { [self] in store.record([ring.record]) }
          }
          if let hooks { hooks.run(.unanswered, [notice], begun: record) } else { record() }
        }
      case .record(let records):
        store.record(records, marks: journaled)
        journaled = []
      case .refill(let size): store.refill(size)
      case .retain(let number, let ringing, let card):
        notifier.take(.retain(number: number, ringing: ringing, card: card))
      case .end(let occurrences): notifier.take(.end(occurrences))
      case .restore(let notices): notifier.take(.restore(notices.map { $0.saying(words) }))
      case .checkBubbles: store.stillRinging(notifier.shownOccurrences)
      case .clockStepped(let span):
        store.clockStepped(clock.read())
        journal.log(.clockStepped(by: span))
        onClockStep()
      case .resumed(let span): journal.log(.resumed(after: span))
      case .arm(let moment): timer.arm(moment)
      }
    }
    // Behind everything that a ring is.
    if !ringing.isEmpty { hooks?.run(.ring, ringing) }
  }

  private func notices(_ rings: [Ring]) -> [Notice] { rings.map { Notice($0, words: words) } }

  private func write(_ rings: [Ring]) {
    let names = rings.map(\.record.ring)
    @Sendable func marks(_ first: Int, _ moments: [Instant]) -> [RingMark] {
      zip(names[first...], moments).map { .journaled($0, at: $1) }
    }
    let written = journal.ring(notices(rings)) { [self] first, moments in
      let marks = marks(first, moments)
      queue.async { [self] in mark(marks) }
    }
    journaled += marks(0, written)
  }

  /// Whether some ring is not known to be recorded. On the queue.
  package var awaitsRecord: Bool { scheduler.awaitsRecord }

  /// Records marks of rings that the store has. On the queue; also after ``stop()``.
  package func mark(_ marks: [RingMark]) { store.mark(marks) }
}

extension StoreNews {
  /// Whether this answers a request for the head.
  package var answersRefill: Bool {
    switch self {
    case .refilled, .refillFailed: true
    default: false
    }
  }
}
