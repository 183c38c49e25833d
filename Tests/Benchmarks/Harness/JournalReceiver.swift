import Glibc
import Synchronization

/// Stands where journald listens, and takes every entry at once, as journald does. The kernel stamps each datagram as it
/// is sent (SO_TIMESTAMPNS, socket(7)), which is also what journald takes for the moment of its receipt.
final class JournalReceiver: Sendable {
  /// An entry as it came; the moment in ns since the epoch.
  struct Entry: Sendable {
    var text: [UInt8]
    var at: Int64

    /// The moment a ring was due, in ns since the epoch; nil for other entries.
    var dueAt: Int64? {
      guard contains("PRIORITY=5") else { return nil }
      return number(of: "EGG_DUE_AT").map { $0 * 1000 }
    }

    /// Of a ring, in ns: when it came, and when it says that it rang.
    var lateness: Int64 { at - (dueAt ?? 0) }
    var saidLateness: Int64 { (number(of: "EGG_LATENESS_US") ?? 0) * 1000 }

    private func number(of field: String) -> Int64? {
      let start = Array("\(field)=".utf8)
      guard let line = lines.first(where: { $0.starts(with: start) }) else { return nil }
      return Int64(String(decoding: line.dropFirst(start.count), as: UTF8.self))
    }

    private func contains(_ line: String) -> Bool { lines.contains { $0.elementsEqual(line.utf8) } }

    private var lines: [ArraySlice<UInt8>] { text.split(separator: UInt8(ascii: "\n")) }
  }

  let path: String
  private let descriptor: Int32
  private let entries = Mutex<[Entry]>([])
  private let thread = Mutex<Worker<Void>?>(nil)

  init(path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = UnixAddress.with(path) { bind(descriptor, $0, $1) }
    guard bound == 0 else { throw BenchFailure("cannot listen at \(path): errno \(errno)") }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, 4)
    let worker = Worker { [self] in
      while true { try receive() }
    }
    thread.withLock { $0 = worker }
  }

  /// What came since the last time.
  func takeAll() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }

  /// The first `count` entries since the last time, of those that are `wanted`; waits for them for `patience` s.
  func take(
    _ count: Int, patience: Double = 20, wanted: (Entry) -> Bool = { $0.dueAt != nil }
  ) throws -> [Entry] {
    var found: [Entry] = []
    let deadline = Clock.steady() + Int64(patience * 1e9)
    while true {
      found += takeAll().filter(wanted)
      if found.count >= count { return found }
      guard Clock.steady() < deadline else { throw BenchFailure("\(found.count) of \(count) entries came") }
      Clock.sleep(0.05)
    }
  }

  private func receive() throws {
    try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { text in
      try withUnsafeTemporaryAllocation(byteCount: 128, alignment: 16) { control in
        var piece = iovec(iov_base: text.baseAddress, iov_len: text.count)
        var stamped = 0
        let received = withUnsafeMutablePointer(to: &piece) { piece in
          var message = msghdr()
          message.msg_iov = piece
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          defer { stamped = message.msg_controllen }
          return recvmsg(descriptor, &message, 0)
        }
        guard received >= 0 else {
          if errno == EINTR { return }
          throw BenchFailure("no entry: errno \(errno)")
        }
        // cmsg(3): a header of 16 bytes, then the struct timespec
        guard stamped >= 32, control.load(fromByteOffset: 12, as: Int32.self) == SO_TIMESTAMPNS else {
          throw BenchFailure("an entry came without its moment")
        }
        let at =
          control.load(fromByteOffset: 16, as: Int64.self) * 1_000_000_000
          + control.load(fromByteOffset: 24, as: Int64.self)
        let entry = Entry(text: Array(text[..<received]), at: at)
        entries.withLock { $0.append(entry) }
      }
    }
  }
}

/// A path as bind(2) and connect(2) want it.
enum UnixAddress {
  static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
