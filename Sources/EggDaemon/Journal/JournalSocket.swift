import Glibc

/// Sends entries to journald without ever waiting, in its [native protocol](https://systemd.io/JOURNAL_NATIVE_PROTOCOL).
///
/// sd_journal_sendv(3) waits where journald stalls. Here the caller learns that at once and can have the entry sent
/// from a thread that may wait.
final class JournalSocket: Sendable {
  private let descriptor: Int32
  private let address: sockaddr_un?
  /// Two ends of a connection to nobody else.
  private let rehearsal: (from: Int32, to: Int32)

  private static let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

  /// `path` is where journald listens. It is looked up at each entry: journald may come later, or anew.
  init(path: String) {
    descriptor = socket(AF_UNIX, Self.kind, 0)
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Self.kind, 0, &ends)
    rehearsal = (ends[0], ends[1])
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    if bytes.count < MemoryLayout.size(ofValue: address.sun_path) {
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      self.address = address
    } else {
      self.address = nil
    }
  }

  deinit {
    for end in [descriptor, rehearsal.from, rehearsal.to] where end >= 0 { close(end) }
  }

  /// Whether journald has the entry: not where it is not there, has a full queue, or the entry is too long for one
  /// message.
  func send(_ record: JournalRecord) -> Bool {
    let message = record.nativeMessage
    guard let address else { return false }
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        while true {
          let length = socklen_t(MemoryLayout<sockaddr_un>.size)
          let sent = sendto(descriptor, message, message.count, Self.flags, address, length)
          if sent >= 0 || errno != EINTR { return sent == message.count }
        }
      }
    }
  }

  /// Words the entry and sends it to nobody.
  func rehearse(_ record: JournalRecord) {
    let message = record.nativeMessage
    guard Glibc.send(rehearsal.from, message, message.count, Self.flags) > 0 else { return }
    var first: UInt8 = 0
    _ = recv(rehearsal.to, &first, 1, Self.flags)
  }
}

extension JournalRecord {
  /// Everything that is said, in order: `NAME` and value.
  var allFields: [(name: String, value: String)] {
    [
      ("MESSAGE", message), ("MESSAGE_ID", id.rawValue), ("PRIORITY", String(priority.rawValue)),
      ("SYSLOG_IDENTIFIER", "eggd"),
    ] + fields
  }

  /// The datagram: values of one line behind an equals sign, others with their length, so that none can forge a field.
  var nativeMessage: [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(1_024)
    let newline = UInt8(ascii: "\n")
    for (name, value) in allFields {
      message.append(contentsOf: name.utf8)
      if value.utf8.contains(newline) {
        message.append(newline)
        withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { message.append(contentsOf: $0) }
      } else {
        message.append(UInt8(ascii: "="))
      }
      message.append(contentsOf: value.utf8)
      message.append(newline)
    }
    return message
  }
}
