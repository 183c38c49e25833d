import Dispatch
import EggTime
import Glibc
import Ringing
import Synchronization

/// Writes to journald, or to stderr if there is none, where debug entries are left out.
///
/// A ring's entry is sent from the caller's thread if journald takes it at once, because waking a thread takes 0.1 ms.
/// Everything else is sent on `queue`, in the order of the calls, and waits there for a journald that stalls. While
/// anything waits there, rings wait behind it.
package final class Journal: Sendable {
  private let queue: DispatchQueue
  private let clock: any Clock
  private let socket: String
  private let standardError: Int32
  private let direct: JournalSocket
  /// In whose time texts are; no I/O.
  private let zone: @Sendable () -> Zone
  /// Entries on `queue` that are not written yet.
  private let waiting = Atomic<Int>(0)

  /// - Parameters:
  ///   - queue: serial, this journal's own.
  ///   - socket: where journald listens.
  ///   - standardError: the descriptor for lines that replace entries.
  package init(
    queue: DispatchQueue, clock: any Clock, socket: String = "/run/systemd/journal/socket",
    standardError: Int32 = STDERR_FILENO, zone: @escaping @Sendable () -> Zone = { .utc }
  ) {
    self.zone = zone
    self.queue = queue
    self.clock = clock
    self.socket = socket
    self.standardError = standardError
    direct = JournalSocket(path: socket)
  }

  /// Whether journald's socket is there; one access(2).
  package var isJournald: Bool { access(socket, F_OK) == 0 }

  /// Whether anything waits to be written.
  package var isBusy: Bool { waiting.load(ordering: .acquiring) > 0 }

  /// Writes a ring's entry without waiting. `completion` gets the moment at which it was written, before this returns
  /// or on the journal's queue.
  package func ring(_ entry: Notice, completion: @escaping @Sendable (Instant) -> Void) {
    ring([entry]) { _, moments in moments.forEach(completion) }.forEach(completion)
  }

  /// Writes the entries of rings without waiting. `completion` is for entries that journald did not take at once: it gets,
  /// on the journal's queue, when some of them were written, starting with the entry of that index.
  ///
  /// - Returns: The moments at which the first of them were written.
  package func ring(
    _ entries: [Notice], completion: @escaping @Sendable (_ first: Int, _ moments: [Instant]) -> Void
  ) -> [Instant] {
    var moments: [Instant] = []
    if !isBusy {
      var message = NativeMessage()
      // by index: a copy of each entry would count the references to its words
      for index in entries.indices {
        entries[index].write(to: &message)
        guard direct.send(message) else { break }
        moments.append(clock.read().wall)
      }
    }
    let sent = moments.count
    if sent < entries.count { enqueue { $0.write(entries, from: sent, completion) } }
    return moments
  }

  /// Writes the entry of an alarm that came too late to ring.
  package func missed(_ entry: Notice) { enqueue { $0.write(entry.missedRecord(in: $0.zone())) } }

  /// Writes the entry of a ring that nobody has answered in time.
  package func unanswered(_ entry: Notice) { enqueue { $0.write(entry.unansweredRecord) } }

  /// Writes entries that `records` makes on the journal's queue, with the zone for their texts. No ring waits
  /// behind them: how many they are is the clients' business.
  func write(_ records: @escaping @Sendable (Zone) -> [JournalRecord]) {
    queue.async { [self] in
      for record in records(zone()) { write(record) }
    }
  }

  package func log(_ event: JournalEvent) { enqueue { $0.write(event.record) } }

  /// Calls back, on the journal's queue, when all entries so far are written.
  package func whenWritten(_ completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

  /// Returns when all entries so far are written.
  package func flush() { queue.sync {} }

  func flush(within limit: DispatchTimeInterval) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + limit)
  }

  private func enqueue(_ body: @escaping @Sendable (Journal) -> Void) {
    waiting.add(1, ordering: .releasing)
    queue.async { [self] in
      body(self)
      waiting.subtract(1, ordering: .releasing)
    }
  }

  /// The most entries that are reported as written at once.
  private static let toldTogether = 256

  private func write(
    _ entries: [Notice], from start: Int, _ completion: (_ first: Int, _ moments: [Instant]) -> Void
  ) {
    var message = NativeMessage()
    var told = start
    var moments: [Instant] = []
    func tell() {
      if !moments.isEmpty { completion(told, moments) }
      told += moments.count
      moments = []
    }
    for index in start..<entries.count {
      entries[index].write(to: &message)
      // If eggd ends while journald stalls, the next eggd must not write these again.
      if !direct.wait(message, stalled: tell) { writeLine(entries[index].line) }
      moments.append(clock.read().wall)
      if moments.count == Self.toldTogether { tell() }
    }
    tell()
  }

  private func write(_ record: JournalRecord) {
    var message = NativeMessage()
    record.write(to: &message)
    if !direct.wait(message), record.priority != .debug { writeLine(record) }
  }

  /// `<5>Wait! …`, sd-daemon(3): one line, whatever the text holds.
  private func writeLine(_ record: JournalRecord) {
    var line = Array("<\(record.priority.rawValue)>\(record.message)".utf8)
    for index in line.indices where line[index] == UInt8(ascii: "\n") { line[index] = UInt8(ascii: " ") }
    line.append(UInt8(ascii: "\n"))
    var rest = line[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(standardError, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      // If stderr is closed, there is nowhere to report it.
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
