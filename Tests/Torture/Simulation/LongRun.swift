import Alarms
import Dispatch
import EggStore
import EggTestSupport
import EggTime
import Foundation
import GRDBSQLite
import Ringing

/// A day with a hundred thousand alarms: `--day HOURS`. Every ten seconds some ring, a person answers their bubble, and
/// each minute a client changes something. Memory, descriptors and the write-ahead log must not grow.
final class LongRun: Life.Witness, @unchecked Sendable {
  private static let alarms: Int64 = 100_000
  /// Of these the first that many ring each hour.
  private static let hourly: Int64 = 1_000
  /// They ring on moments that far apart; µs.
  private static let beat: Int64 = 10_000_000
  private static let hour: Int64 = 3_600_000_000

  private struct Measure {
    var memory: Int
    var descriptors: Int
    var log: Int
  }

  private let base: String
  private let clock = SimulatedClock(wall: Instant(microseconds: 1_795_208_400_000_000))
  private let desk = SimulatedDesk()
  private let start: Int64
  private let hours: Int64
  private var life: Life?
  private var rest = 0
  private var nextMinute: Int64
  private var nextMeasure: Int64
  private var rings: [UInt8]
  private var sum = 0
  private var wrong: String?
  private var measures: [Measure] = []
  private let done = DispatchSemaphore(value: 0)

  init(base: String, hours: Int64) {
    (self.base, self.hours) = (base, hours)
    start = clock.read().wall.microseconds
    nextMinute = start + 60_000_000
    // The first hour is not measured: caches fill.
    nextMeasure = start + Self.hour
    rings = Array(repeating: 0, count: Int(Self.alarms) + 1)
  }

  /// When an alarm is due first: spread over a day, the hourly ones over the first hour.
  private func due(_ number: Int64) -> Int64 {
    let span = number <= Self.hourly ? Self.hour : 24 * Self.hour
    let beats = number * 7_919 % (span / Self.beat)
    return start + (beats + 1) * Self.beat - Self.beat / 2
  }

  func run(template: String) throws -> Bool {
    let folder = base + "/day"
    mkdir(folder, 0o700)
    StateFolder.copy(template, to: folder + "/schedule.db")
    try fill(folder + "/schedule.db")
    let queue = DispatchQueue(label: "store")
    let store = try AlarmStore(
      directory: StateDirectory(path: folder), queue: queue, clock: clock, bootID: "boot-1", log: { _ in })
    desk.change(toPresent: true)
    let life = Life(store, queue: queue, clock: clock, desk: desk, witness: self)
    life.onChoice = { [unowned self] change, stored in
      store.submit(ChangeRequest(change, readAt: clock.read())) { if case .success = $0 { stored() } }
    }
    self.life = life
    store.start(observer: life) { _ in }
    queue.async {
      life.begin()
      self.tick()
    }
    done.wait()
    let closed = DispatchSemaphore(value: 0)
    store.close { closed.signal() }
    closed.wait()
    return judge()
  }

  /// As another program would; each row is what `schedule` makes.
  private func fill(_ path: String) throws {
    var database: OpaquePointer?
    sqlite3_open(path, &database)
    defer { sqlite3_close(database) }
    var statement: OpaquePointer?
    sqlite3_exec(database, "BEGIN", nil, nil, nil)
    sqlite3_prepare_v2(
      database,
      """
      INSERT INTO alarm (number, id, label, position, kind, instant, calendarEvent, zone, expression, readingZone,
        createdAt, due) VALUES (?1, ?2, 'egg', ?1 << 20, ?3, ?4, ?5, ?6, 'then', 'UTC', ?7, ?8)
      """, -1, &statement, nil)
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for number in 1...Self.alarms {
      let due = due(number)
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
      sqlite3_bind_int64(statement, 1, number)
      sqlite3_bind_text(statement, 2, AlarmID().description, -1, transient)
      if number <= Self.hourly {
        let past = due % Self.hour / 1_000_000
        sqlite3_bind_text(statement, 3, "every", -1, transient)
        sqlite3_bind_text(statement, 5, "*-*-* *:\(past / 60):\(past % 60)", -1, transient)
        sqlite3_bind_text(statement, 6, "UTC", -1, transient)
      } else {
        sqlite3_bind_text(statement, 3, "at", -1, transient)
        sqlite3_bind_int64(statement, 4, due)
      }
      sqlite3_bind_int64(statement, 7, start)
      sqlite3_bind_int64(statement, 8, due)
      guard sqlite3_step(statement) == SQLITE_DONE else {
        fail("cannot fill the database: \(String(cString: sqlite3_errmsg(database)))")
      }
    }
    sqlite3_finalize(statement)
    sqlite3_exec(database, "COMMIT", nil, nil, nil)
  }

  private func tick() {
    guard let life else { return }
    if rest > 0 {
      rest -= 1
    } else if turn(life) {
      rest = 5
    } else {
      done.signal()
      return
    }
    life.queue.async { self.tick() }
  }

  /// - Returns: Whether there is more to do.
  private func turn(_ life: Life) -> Bool {
    let now = clock.read().wall.microseconds
    if !life.news.isEmpty || !life.signals.isEmpty || life.hasEntries {
      life.takeNews()
      life.takeSignals()
      life.writeEntries()
    } else if let armed = life.armed, armed.microseconds <= now {
      life.wake()
    } else if let bubble = desk.open.first {
      life.signals.append(desk.close(bubble))
    } else if now >= nextMinute {
      nextMinute += 60_000_000
      change(life, now)
    } else if now >= nextMeasure || measures.isEmpty && now >= start + Self.hour / 4 {
      measure(now)
      nextMeasure += 3 * Self.hour
    } else {
      let end = start + hours * Self.hour
      guard now < end else {
        measure(now)
        return false
      }
      let next = min(life.armed?.microseconds ?? .max, nextMinute, nextMeasure, end)
      clock.time.advance(TimeSpan(microseconds: next - now))
      clock.fire()
    }
    return wrong == nil
  }

  /// Something is scheduled, changed, and deleted again.
  private func change(_ life: Life, _ now: Int64) {
    let at = Instant(microseconds: now + 30 * Self.hour)
    let alarm = Alarm(
      number: 0, id: .zero, label: "later", category: .soft, position: 0, timing: .instant(at),
      expression: "then", readingZone: "UTC", createdAt: clock.read().wall, due: .wall(at))
    life.store.submit(ChangeRequest(ScheduleChange(alarm), readAt: clock.read())) { [self] result in
      guard case .success(let outcome) = result, let made = outcome.alarms.first else {
        wrong = "a change was refused: \(result)"
        return
      }
      let selection = Selection(numbers: [made.number])
      let readAt = clock.read()
      life.store.submit(ChangeRequest(ExtendChange(selection, by: .seconds(60)), readAt: readAt)) { _ in }
      life.store.submit(ChangeRequest(DeleteChange(selection), readAt: readAt)) { _ in }
    }
  }

  func rang(_ record: RingRecord) {
    let number = record.key.number
    guard number <= Self.alarms else {
      wrong = "#\(number) rang"
      return
    }
    let due = due(number) + Int64(rings[Int(number)]) * Self.hour
    if record.dueAt.microseconds != due || record.lateness != .zero {
      wrong =
        "#\(number) rang for \(record.dueAt.microseconds), \(record.lateness.microseconds) µs late, not for \(due)"
    }
    rings[Int(number)] += 1
    sum += 1
  }

  func wrote(_ entry: Life.WrittenEntry) {}
  func repeated(_ notices: [Notice]) {}
  func recorded(_ records: [RingRecord]) {}
  func passed(_ point: Life.Point) {}

  private func measure(_ now: Int64) {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    var status = stat()
    stat(base + "/day/schedule.db-wal", &status)
    let measure = Measure(
      memory: Int(pages?[1] ?? "").map { $0 * 4_096 } ?? 0,
      descriptors: StateFolder.names(in: "/proc/self/fd").count, log: Int(status.st_size))
    measures.append(measure)
    print(
      "     | after \((now - start) / 60_000_000) min: \(sum) rings, \(measure.memory >> 20) MiB,"
        + " \(measure.descriptors) descriptors, \(measure.log >> 10) KiB of log")
  }

  private func judge() -> Bool {
    var failures = [wrong].compactMap { $0 }
    let end = start + hours * Self.hour
    for number in 1...Self.alarms where due(number) < end && failures.count < 3 {
      let expected = number <= Self.hourly ? (end - due(number) - 1) / Self.hour + 1 : 1
      if Int64(rings[Int(number)]) != expected {
        failures.append("#\(number) rang \(rings[Int(number)]) times, not \(expected)")
      }
    }
    guard let first = measures.first, let last = measures.last else { return false }
    let most = measures.map(\.log).max() ?? 0
    // What the allocator keeps differs by some MiB; a leak of a hundred bytes a ring would be more.
    if last.memory - first.memory > 12 << 20 {
      failures.append("memory grew by \((last.memory - first.memory) >> 20) MiB")
    }
    if last.descriptors > first.descriptors { failures.append("descriptors grew to \(last.descriptors)") }
    // A thousand pages, and a transaction.
    if most > 8 << 20 { failures.append("the log grew to \(most >> 10) KiB") }
    for failure in failures { print("FAIL \(failure)") }
    return failures.isEmpty
  }
}
