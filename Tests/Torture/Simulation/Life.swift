import Alarms
import Dispatch
import EggDaemon
import EggStore
import EggTime
import LinuxIO
import Ringing

/// One eggd, from its start to its end: the real scheduler, bubbles and store, joined as the daemon joins them, but that
/// timer, journal and bus are the run's. Everything happens on the store's queue, one thing after the other; what the
/// daemon does at once on several queues the run puts into one order or another.
final class Life: ScheduleObserver, @unchecked Sendable {
  /// What the run hears of it.
  protocol Witness: AnyObject {
    func rang(_ record: RingRecord)
    func wrote(_ entry: WrittenEntry)
    /// Bubbles repeat for these.
    func repeated(_ notices: [Notice])
    func recorded(_ records: [RingRecord])
    /// Between what has happened and what follows, a moment at which eggd may be killed or time may pass.
    func passed(_ point: Point)
  }

  /// Where a kill can fall.
  enum Point: String, CaseIterable {
    case told
    case shown
    case beforeRecord
    case held
    case committed
    case wroteEntry
  }

  struct WrittenEntry: Hashable {
    var number: Int64
    var dueAt: Instant
  }

  let queue: DispatchQueue
  let store: AlarmStore
  private let clock: any Clock & DelayedCalls
  private let desk: SimulatedDesk
  private weak var witness: (any Witness)?
  private var scheduler: Scheduler
  private var bubbles: Bubbles
  /// Told by the store, and not taken up by the scheduler.
  private(set) var news: [StoreNews] = []
  /// Came from the bus, and not read.
  var signals: [BubbleInput] = []
  private var entries: [(entry: WrittenEntry, ring: RingID)] = []
  private(set) var armed: Instant?
  /// When bubbles are to be repeated, and when the timer for that fires; CLOCK_MONOTONIC, µs.
  private var repetition: Instant?
  private(set) var repetitionTimer: Int64?
  private(set) var isStarted = false
  private(set) var hasHead = false
  /// Those of what rang before.
  private var hasBubbles = false
  /// Nothing that it does matters any more.
  var isKilled = false
  /// Nothing rings any more.
  var isStopping = false
  /// journald takes nothing, and lets eggd wait.
  var journalHangs = false
  /// Changes that bubbles ask for. `stored` is to be called when that is done.
  var onChoice: ((_ change: any Change, _ stored: @escaping @Sendable () -> Void) -> Void)?
  private let startedAt: Int64
  private var hasSettled = false

  init(
    _ store: AlarmStore, queue: DispatchQueue, clock: any Clock & DelayedCalls, desk: SimulatedDesk,
    witness: any Witness
  ) {
    (self.store, self.queue, self.clock, self.desk, self.witness) = (store, queue, clock, desk, witness)
    scheduler = Scheduler(
      currentBoot: store.currentBoot, lastOccurrence: store.lastOccurrence, started: clock.read())
    bubbles = Bubbles(
      wording: NoticeWording(moment: { _ in "then" }, span: { _ in "so long" }, offersAgain: { _ in true }),
      ownDisplay: false)
    startedAt = clock.read().monotonic
  }

  // What the daemon does at its start, in its order.
  func begin() {
    desk.connect()
    take(.owner(desk.owner))
    isStarted = true
    wake()
  }

  func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
    guard !isKilled else { return [] }
    // What was told before is taken up before.
    takeNews()
    witness?.passed(.held)
    let rings = scheduler.hold(numbers, as: hold)
    witness?.passed(.held)
    return isKilled ? [] : rings
  }

  func takeUp(_ head: Refill) {
    guard !isKilled, isStarted, !isStopping else { return news.append(.refilled(head)) }
    takeNews()
    perform(scheduler.take(.refilled(head), at: clock.read()))
  }

  func unrecorded(_ numbers: NumberSet) -> [RingRecord] {
    guard !isKilled else { return [] }
    takeNews()
    let rings = scheduler.unrecorded(numbers)
    return isKilled ? [] : rings
  }

  func deliver(_ news: StoreNews) {
    guard !isKilled else { return }
    if case .recorded(let records, stored: true) = news { witness?.recorded(records) }
    if news.answersRefill, !hasHead {
      hasHead = true
      store.readRinging()
    }
    if case .ringing = news { hasBubbles = true }
    self.news.append(news)
    witness?.passed(.committed)
  }

  func takeNews() {
    guard isStarted, !isStopping else { return }
    while !news.isEmpty, !isKilled { perform(scheduler.take(news.removeFirst(), at: clock.read())) }
  }

  func wake() {
    guard isStarted, !isKilled, !isStopping else { return }
    perform(scheduler.wake(at: clock.read()))
  }

  /// Whether all that it has begun is done, but for what waits for disk, journald and desktop.
  var isQuiet: Bool {
    news.isEmpty && signals.isEmpty && hasHead && hasBubbles && !isRepetitionDue
      && armed.map { $0 > clock.read().wall } ?? true
  }

  private func perform(_ effects: [SchedulerEffect]) {
    for effect in effects {
      guard !isKilled else { return }
      switch effect {
      case .journal(let rings):
        for ring in rings {
          witness?.rang(ring.record)
          entries.append((WrittenEntry(ring.record), ring.record.ring))
        }
        witness?.passed(.told)
      case .journalMissed(let rings): for ring in rings { witness?.rang(ring.record) }
      case .unanswered(let rings):
        for ring in rings { witness?.rang(ring.record) }
        witness?.passed(.beforeRecord)
        if !isKilled { store.record(rings.map(\.record)) }
      case .show(let rings, let joining):
        take(.show(rings.map { Notice($0) }, joins: joining))
        witness?.passed(.shown)
      case .record(let records):
        witness?.passed(.beforeRecord)
        if !isKilled { store.record(records) }
      case .refill(let size): store.refill(size)
      case .retain(let number, let ringing, let card):
        take(.retain(number: number, ringing: ringing, card: card))
      case .end(let occurrences): take(.end(occurrences))
      case .restore(let notices): take(.restore(notices))
      case .checkBubbles: store.stillRinging(bubbles.shownOccurrences)
      case .clockStepped: store.clockStepped(clock.read())
      case .resumed: break
      case .arm(let moment): armed = moment
      }
    }
    if scheduler.isRinging { perform(scheduler.wake(at: clock.read())) }
  }

  /// journald takes what waits for it.
  func writeEntries() {
    while !entries.isEmpty, !journalHangs, !isKilled {
      let (entry, ring) = entries.removeFirst()
      witness?.wrote(entry)
      witness?.passed(.wroteEntry)
      if !isKilled { store.mark([.journaled(ring, at: clock.read().wall)]) }
    }
  }

  var hasEntries: Bool { !entries.isEmpty }

  /// Something comes from the bus.
  func take(_ input: BubbleInput) {
    guard !isKilled else { return }
    let now = clock.read()
    if !hasSettled, now.monotonic - startedAt >= DesktopNotifier.settlingTime {
      hasSettled = true
      perform(bubbles.handle(.settled, now: now.wall))
    }
    perform(bubbles.handle(input, now: now.wall))
    armRepetition(now)
  }

  private func armRepetition(_ now: ClockReading) {
    guard bubbles.nextRepetition != repetition else { return }
    repetition = bubbles.nextRepetition
    repetitionTimer = repetition.map { now.monotonic + max(0, ($0 - now.wall).microseconds) }
  }

  var isRepetitionDue: Bool { repetitionTimer.map { $0 <= clock.read().monotonic } ?? false }

  /// The timer fires.
  func insist() {
    (repetition, repetitionTimer) = (nil, nil)
    take(.insist)
  }

  private func perform(_ effects: [BubbleEffect]) {
    for effect in effects {
      if case .report(let report) = effect { took(report) }
      if case .sound(let notices) = effect { witness?.repeated(notices) }
      signals += desk.perform(effect)
    }
  }

  /// What the bus has brought is read.
  func takeSignals() {
    while !signals.isEmpty, isStarted, !isKilled {
      let signal = signals.removeFirst()
      if case .busLost = signal { desk.connect() }
      take(signal)
    }
  }

  private func took(_ report: NotifierReport) {
    func selected(_ numbers: [Int64]) -> Selection {
      Selection(ranges: Set(numbers).sorted().map { $0...$0 })
    }
    switch report {
    case .shown(let rings, let bubble, let server, let moment):
      store.mark([.shown(rings, bubble: bubble, server: server, at: moment)])
    case .chosen(.dismiss, let notices):
      onChoice?(DismissChange(selected(notices.map(\.number)), seen: seen(notices))) {}
    case .chosen(.snooze, let notices):
      let span = 20
      let end = clock.read().boot + Int64(span) * 1_000_000
      let snooze = BubbleSnooze()
      let change = SnoozeChange(
        selected(notices.map(\.number)), until: DuePoint(clock: store.currentBoot, microseconds: end),
        seen: seen(notices), isOver: { snooze.isOver })
      onChoice?(change, snooze.stored)
      clock.call(after: span, on: queue) { [weak self] in
        guard let self, !isKilled, !isStopping, snooze.end() else { return }
        take(.giveBack(notices))
        store.stillRinging(notices.map(\.occurrence))
      }
    case .chosen(.again, _): break
    }
  }

  private func seen(_ notices: [Notice]) -> [Int64: Int64] {
    Dictionary(notices.map { ($0.number, $0.occurrence) }) { max($0, $1) }
  }

  var shownOccurrences: Set<Int64> { Set(bubbles.shownOccurrences) }
}

extension Life.WrittenEntry {
  init(_ record: RingRecord) { self.init(number: record.key.number, dueAt: record.dueAt) }
}
