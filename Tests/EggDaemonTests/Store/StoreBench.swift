import Alarms
import Dispatch
import EggDaemon
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Synchronization
import Testing

/// A store on a real file in a directory of its own, with an observer that keeps what it is told.
final class StoreBench: @unchecked Sendable {
  let clock: FakeClock
  let observer = RecordingObserver()
  let events = Kept<StoreEvent>()
  let changes = Kept<CommittedChanges>()
  let root: URL
  let queue = DispatchQueue(label: "store")
  private(set) var store: AlarmStore
  private let zones: ZoneSource

  var directory: String { root.appending(path: "eggd").path }
  var path: String { directory + "/schedule.db" }

  /// - Parameters:
  ///   - zones: The machine's zone and all others.
  ///   - prepare: Called with the path of the database before it is opened.
  init(
    clock: FakeClock = FakeClock(), bootID: String = "boot-1", zones: ZoneSource = .machine,
    startsNow: Bool = true, prepare: (String) throws -> Void = { _ in }
  ) throws {
    self.clock = clock
    self.zones = zones
    root = FileManager.default.temporaryDirectory.appending(path: "eggd-store-\(UUID().uuidString)")
    let path = root.appending(path: "eggd/schedule.db").path
    try FileManager.default.createDirectory(
      at: root.appending(path: "eggd"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try prepare(path)
    store = try Self.open(root, queue: queue, clock: clock, bootID: bootID, zones: zones, events: events)
    if startsNow { start() }
  }

  deinit {
    close()
    try? FileManager.default.removeItem(at: root)
  }

  private static func open(
    _ root: URL, queue: DispatchQueue, clock: FakeClock, bootID: String, zones: ZoneSource,
    events: Kept<StoreEvent>
  ) throws -> AlarmStore {
    try AlarmStore(
      directory: StateDirectory(path: root.appending(path: "eggd").path), queue: queue, clock: clock,
      bootID: bootID, zone: MachineZone(zones), log: { events.append($0) })
  }

  func start() {
    store.start(observer: observer) { [changes] in changes.append($0) }
    queue.sync {}
  }

  func close() {
    let done = DispatchSemaphore(value: 0)
    store.close { done.signal() }
    done.wait()
  }

  /// Closes the store and opens the file anew, as another run of eggd would.
  func reopen(bootID: String = "boot-1", startsNow: Bool = true) throws {
    close()
    // The lock of the old store goes with it.
    store = try Self.open(
      root.appending(path: "elsewhere"), queue: queue, clock: clock, bootID: bootID, zones: zones,
      events: events)
    // Its last block holds it a moment longer than `close()` waits.
    queue.sync {}
    store = try Self.open(root, queue: queue, clock: clock, bootID: bootID, zones: zones, events: events)
    if startsNow { start() }
  }

  /// Makes a change and waits for its answer.
  @discardableResult
  func submit(_ change: Change) throws -> ChangeOutcome { try submitted(change).get() }

  func submitted(_ change: Change) -> Result<ChangeOutcome, ChangeError> {
    // Subscribers hear after the caller.
    defer { queue.sync {} }
    return wait { store.submit(ChangeRequest(change, readAt: clock.read()), completion: $0) }
  }

  /// Schedules an alarm at the wall clock, `after` from now.
  @discardableResult
  func schedule(
    _ label: String? = nil, after: TimeSpan = .seconds(60), key: String? = nil, request: String? = nil
  ) throws -> Alarm {
    let outcome = try submit(.schedule(new(label, after: after, key: key, request: request)))
    return try #require(outcome.alarms.first)
  }

  func new(
    _ label: String? = nil, after: TimeSpan = .seconds(60), key: String? = nil, request: String? = nil
  ) -> NewAlarm {
    let due = clock.read().wall + after
    return NewAlarm(
      label: label, category: .soft, eggs: 2, summary: nil, body: nil, icon: nil, timing: .instant(due),
      expression: "@\(due.microseconds)", forcedKind: nil, readingZone: "Europe/Berlin", due: .wall(due),
      key: key, keyedRequest: request)
  }

  /// A countdown on the clock of this boot.
  @discardableResult
  func count(down span: TimeSpan, label: String? = nil) throws -> Alarm {
    var alarm = new(label)
    alarm.timing = .countdown(span)
    alarm.due = DuePoint(clock: store.currentBoot, microseconds: clock.read().boot + span.microseconds)
    return try #require(try submit(.schedule(alarm)).alarms.first)
  }

  /// The ring of an alarm's own moment, now.
  func ring(_ alarm: Alarm, occurrence: Int64? = nil) throws -> RingRecord {
    let now = clock.read().wall
    return RingRecord(
      occurrence: occurrence ?? now.microseconds, key: EntryKey(number: alarm.number),
      due: try #require(alarm.due), dueAt: now, firedAt: now, lateness: .zero, reason: nil)
  }

  /// Lets an alarm ring and waits until that is stored.
  func fire(_ alarm: Alarm, occurrence: Int64? = nil) throws {
    store.record([try ring(alarm, occurrence: occurrence)])
    queue.sync {}
    queue.sync {}
  }

  /// The last ring of that occurrence.
  func ring(of occurrence: Int64) throws -> RingID {
    let firedAt = try stranger().read {
      try Int64.fetchOne($0, sql: "SELECT firedAt FROM occurrence WHERE id = ?", arguments: [occurrence])
    }
    return RingID(occurrence: occurrence, firedAt: Instant(microseconds: try #require(firedAt)))
  }

  func alarm(_ number: Int64) -> Alarm? {
    try? wait { store.alarm(.number(number), completion: $0) }.get().alarm
  }

  func list(_ query: ListQuery = ListQuery()) throws -> ListPage {
    try wait { store.list(query, completion: $0) }.get()
  }

  func wait<Answer: Sendable>(_ ask: (@escaping @Sendable (Answer) -> Void) -> Void) -> Answer {
    let answers = Kept<Answer>()
    let done = DispatchSemaphore(value: 0)
    ask {
      answers.append($0)
      done.signal()
    }
    done.wait()
    return answers.all[0]
  }

  /// Another program: a connection of its own to the same file.
  func stranger() throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}

/// What came, in order; any thread.
final class Kept<Element: Sendable>: Sendable {
  private let kept = Mutex<[Element]>([])
  func append(_ element: Element) { kept.withLock { $0.append(element) } }
  var all: [Element] { kept.withLock { $0 } }
  func clear() { kept.withLock { $0 = [] } }
}

/// A scheduler that keeps what the store tells it and answers holds as a test wants.
final class RecordingObserver: ScheduleObserver {
  enum Heard {
    case hold(NumberSet, HoldID)
    case unrecorded(NumberSet)
    case news(StoreNews)
    case takenUp(Refill)
  }

  let heard = Kept<Heard>()
  let remembered = Kept<HeadEntry>()
  private let untaken = Mutex<[@Sendable () -> Void]?>(nil)
  private let answer = Mutex<@Sendable (NumberSet) -> [RingRecord]>({ _ in [] })

  /// What holds and questions for the unrecorded are answered with from now on.
  func answer(_ rings: @escaping @Sendable (NumberSet) -> [RingRecord]) { answer.withLock { $0 = rings } }

  func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
    heard.append(.hold(numbers, hold))
    return answer.withLock { $0 }(numbers)
  }

  func takeUp(_ head: Refill) { heard.append(.takenUp(head)) }

  func unrecorded(_ numbers: NumberSet) -> [RingRecord] {
    heard.append(.unrecorded(numbers))
    return answer.withLock { $0 }(numbers)
  }

  func stored() -> [HeadEntry] { remembered.all }

  func deliver(_ news: StoreNews) { heard.append(.news(news)) }

  func deliver(_ news: StoreNews, taken: @escaping @Sendable () -> Void) {
    deliver(news)
    let isBusy = untaken.withLock { waiting in
      waiting?.append(taken)
      return waiting != nil
    }
    if !isBusy { taken() }
  }

  /// From now on it hears, and takes nothing.
  func beBusy() { untaken.withLock { $0 = [] } }

  /// Takes what it has heard.
  func takeAll() {
    let waiting = untaken.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for taken in waiting { taken() }
  }

  /// One word for each thing heard, in order.
  var words: [String] {
    heard.all.map { heard in
      switch heard {
      case .takenUp: "takenUp"
      case .hold: "hold"
      case .unrecorded: "unrecorded"
      case .news(.refilled): "refilled"
      case .news(.extended): "extended"
      case .news(.refillFailed): "refillFailed"
      case .news(.changed): "changed"
      case .news(.holdEnded): "held"
      case .news(.recorded(_, let stored)): stored ? "recorded" : "unstored"
      case .news(.ended): "ended"
      case .news(.ringingUnknown): "ringingUnknown"
      case .news(.ringing): "ringing"
      case .news(.bubblesLeft): "bubblesLeft"
      }
    }
  }

  var moments: [AlarmMoments] {
    heard.all.flatMap { heard -> [AlarmMoments] in
      guard case .news(.changed(let moments)) = heard else { return [] }
      return moments
    }
  }

  var refills: [Refill] {
    heard.all.compactMap { heard -> Refill? in
      guard case .news(.refilled(let refill)) = heard else { return nil }
      return refill
    }
  }

  /// What was told synchronously, at the begin of a transaction.
  var heads: [Refill] {
    heard.all.compactMap { heard -> Refill? in
      if case .takenUp(let head) = heard { head } else { nil }
    }
  }

  var extensions: [HeadExtension] {
    heard.all.compactMap { heard -> HeadExtension? in
      guard case .news(.extended(let rows)) = heard else { return nil }
      return rows
    }
  }
}
