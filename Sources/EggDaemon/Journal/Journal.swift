import CSystemd
import Dispatch
import EggTime
import Glibc

/// Writes to journald, and to stderr where there is none.
///
/// Sendable because all that is stored is constant; entries are sent on `queue`, in the order of the calls,
/// since sendmsg(2) to a journald that stalls blocks.
package final class Journal: Sendable {
  private let queue: DispatchQueue
  private let clock: any Clock
  private let socket: String
  private let standardError: Int32

  /// - Parameters:
  ///   - queue: serial, this journal's own.
  ///   - socket: where journald listens; sd_journal_sendv(3) itself knows no other place, so another path
  ///     only says that there is none.
  ///   - standardError: the descriptor for the lines that take an entry's place.
  package init(
    queue: DispatchQueue, clock: any Clock, socket: String = "/run/systemd/journal/socket",
    standardError: Int32 = STDERR_FILENO
  ) {
    self.queue = queue
    self.clock = clock
    self.socket = socket
    self.standardError = standardError
  }

  /// Whether journald's socket is there; one access(2).
  package var isJournald: Bool { access(socket, F_OK) == 0 }

  /// Writes a ring's entry. `completion` gets the moment at which it was written, on the journal's queue.
  package func ring(_ entry: RingEntry, completion: @escaping @Sendable (Instant) -> Void) {
    queue.async { [self] in
      write(entry.record)
      completion(clock.read().wall)
    }
  }

  /// Writes the entry of an alarm that came too late to ring.
  package func missed(_ entry: RingEntry) {
    queue.async { [self] in write(entry.missedRecord) }
  }

  /// Writes an event's entry.
  package func log(_ event: JournalEvent) {
    queue.async { [self] in write(event.record) }
  }

  /// Brings up the queue's worker, which Dispatch takes down after some idle seconds (0.1 ms to bring back).
  package func wake() { queue.async {} }

  /// Calls back, on the journal's queue, when all entries so far are written.
  package func whenWritten(_ completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

  /// Returns when all entries so far are written.
  package func flush() { queue.sync {} }

  private func write(_ record: JournalRecord) {
    guard isJournald, send(record) else {
      writeLine(record)
      return
    }
  }

  /// False where journald does not take it. Every field goes as its own length-counted piece, so that no
  /// value can forge another field.
  private func send(_ record: JournalRecord) -> Bool {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    func append(_ name: String, _ value: String) {
      bytes.append(contentsOf: name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(contentsOf: value.utf8)
      ends.append(bytes.count)
    }
    append("MESSAGE", record.message)
    append("MESSAGE_ID", record.id.rawValue)
    append("PRIORITY", String(record.priority.rawValue))
    append("SYSLOG_IDENTIFIER", "eggd")
    for field in record.fields { append(field.name, field.value) }
    return bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      var start = 0
      let pieces = ends.map { end in
        defer { start = end }
        return iovec(iov_base: base + start, iov_len: end - start)
      }
      return sd_journal_sendv(pieces, Int32(pieces.count)) == 0
    }
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
      // A closed stderr leaves no place to say so.
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
