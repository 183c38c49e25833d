import Alarms
import Dispatch
import EggStore
import EggTime
import Foundation
import GRDB
import Ringing
import Synchronization

/// A store on a real file in a directory of its own, with an observer that keeps what it is told.
package final class StoreBench: @unchecked Sendable {
  package let clock: FakeClock
  package let observer = RecordingObserver()
  package let events = Kept<StoreEvent>()
  package let changes = Kept<CommittedChanges>()
  package let root: URL
  package let queue = DispatchQueue(label: "store")
  package private(set) var store: AlarmStore
  private let zones: ZoneSource
  /// What the next start knows of the tables.
  package var schema: Schema

  package var directory: String { root.appending(path: "eggd").path }
  package var path: String { directory + "/schedule.db" }

  /// - Parameters:
  ///   - zones: The machine's zone and all others.
  ///   - prepare: Called with the path of the database before it is opened.
  package init(
    clock: FakeClock = FakeClock(), bootID: String = "boot-1", zones: ZoneSource = .machine,
    schema: Schema = Schema(), startsNow: Bool = true, prepare: (String) throws -> Void = { _ in }
  ) throws {
    self.clock = clock
    self.zones = zones
    self.schema = schema
    root = FileManager.default.temporaryDirectory.appending(path: "eggd-store-\(UUID().uuidString)")
    let path = root.appending(path: "eggd/schedule.db").path
    try FileManager.default.createDirectory(
      at: root.appending(path: "eggd"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try prepare(path)
    store = try Self.open(
      root, queue: queue, clock: clock, bootID: bootID, zones: zones, schema: schema, events: events)
    if startsNow { start() }
  }

  deinit {
    close()
    try? FileManager.default.removeItem(at: root)
  }

  private static func open(
    _ root: URL, queue: DispatchQueue, clock: FakeClock, bootID: String, zones: ZoneSource, schema: Schema,
    events: Kept<StoreEvent>
  ) throws -> AlarmStore {
    try AlarmStore(
      directory: StateDirectory(path: root.appending(path: "eggd").path), queue: queue, clock: clock,
      bootID: bootID, zone: MachineZone(zones), schema: schema, log: { events.append($0) })
  }

  package func start() {
    store.start(observer: observer) { [changes] in changes.append($0) }
    queue.sync {}
  }

  package func close() {
    let done = DispatchSemaphore(value: 0)
    store.close { done.signal() }
    done.wait()
  }

  /// Closes the store and opens the file anew, as another run of eggd would.
  package func reopen(bootID: String = "boot-1", startsNow: Bool = true) throws {
    close()
    // The lock of the old store goes with it.
    store = try Self.open(
      root.appending(path: "elsewhere"), queue: queue, clock: clock, bootID: bootID, zones: zones,
      schema: schema,
      events: events)
    // Its last block holds it a moment longer than `close()` waits.
    queue.sync {}
    store = try Self.open(
      root, queue: queue, clock: clock, bootID: bootID, zones: zones, schema: schema, events: events)
    if startsNow { start() }
  }

  /// Makes a change and waits for its answer.
  @discardableResult
  package func submit(_ change: any Change) throws -> ChangeOutcome { try submitted(change).get() }

  package func submitted(_ change: any Change) -> Result<ChangeOutcome, ChangeError> {
    // Subscribers hear after the caller.
    defer { queue.sync {} }
    return wait { store.submit(ChangeRequest(change, readAt: clock.read()), completion: $0) }
  }

  /// Schedules an alarm at the wall clock, `after` from now.
  @discardableResult
  package func schedule(
    _ label: String? = nil, after: TimeSpan = .seconds(60), key: String? = nil, request: String? = nil
  ) throws -> Alarm {
    let outcome = try submit(ScheduleChange(new(label, after: after, key: key), keyedRequest: request))
    return try unwrap(outcome.alarms.first)
  }

  package func new(
    _ label: String? = nil, after: TimeSpan = .seconds(60), key: String? = nil
  ) -> Alarm {
    let now = clock.read().wall
    let due = now + after
    return Alarm(
      number: 0, id: .zero, label: label, category: .soft, eggs: 2, position: 0, timing: .instant(due),
      expression: "@\(due.microseconds)", readingZone: "Europe/Berlin", key: key, createdAt: now,
      due: .wall(due))
  }

  /// A countdown on the clock of this boot.
  @discardableResult
  package func count(down span: TimeSpan, label: String? = nil) throws -> Alarm {
    var alarm = new(label)
    alarm.timing = .countdown(span)
    alarm.due = DuePoint(clock: store.currentBoot, microseconds: clock.read().boot + span.microseconds)
    return try unwrap(try submit(ScheduleChange(alarm)).alarms.first)
  }

  /// The ring of an alarm's own moment, now.
  package func ring(_ alarm: Alarm, occurrence: Int64? = nil) throws -> RingRecord {
    let now = clock.read().wall
    return RingRecord(
      occurrence: occurrence ?? now.microseconds, key: EntryKey(number: alarm.number),
      due: try unwrap(alarm.due), dueAt: now, firedAt: now, lateness: .zero, reason: nil)
  }

  /// Lets an alarm ring and waits until that is stored.
  package func fire(_ alarm: Alarm, occurrence: Int64? = nil) throws {
    store.record([try ring(alarm, occurrence: occurrence)])
    queue.sync {}
    queue.sync {}
  }

  /// The last ring of that occurrence.
  package func ring(of occurrence: Int64) throws -> RingID {
    let firedAt = try stranger().read {
      try Int64.fetchOne($0, sql: "SELECT firedAt FROM occurrence WHERE id = ?", arguments: [occurrence])
    }
    return RingID(occurrence: occurrence, firedAt: Instant(microseconds: try unwrap(firedAt)))
  }

  package func alarm(_ number: Int64) -> Alarm? {
    try? wait { store.alarm(.number(number), completion: $0) }.get().alarm
  }

  package func list(_ query: ListQuery = ListQuery()) throws -> ListPage {
    try wait { store.ask({ try $0.list(query) }, completion: $0) }.get()
  }

  /// What a test's store has to have.
  package struct Missing: Error {}

  private func unwrap<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
  }

  package func wait<Answer: Sendable>(_ ask: (@escaping @Sendable (Answer) -> Void) -> Void) -> Answer {
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
  package func stranger() throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}

extension StoreBench {
  /// 1 ringing, 2 in 500 s, 3 counts down 100 s, 4 snoozed for 200 s, 5 dismissed.
  package static func withFive() throws -> StoreBench {
    let bench = try StoreBench()
    let first = try bench.schedule()
    try bench.schedule(after: .seconds(500))
    try bench.count(down: .seconds(100))
    let fourth = try bench.schedule()
    let fifth = try bench.schedule()
    for (index, alarm) in [first, fourth, fifth].enumerated() {
      try bench.fire(alarm, occurrence: Int64(10 + index))
    }
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 200_000_000)
    try bench.submit(SnoozeChange(Selection(numbers: [4]), until: until))
    try bench.submit(DismissChange(Selection(numbers: [5])))
    return bench
  }
}
