import Glibc

/// Stands where journald listens. The kernel stamps each datagram as it is sent (SO_TIMESTAMPNS, socket(7)).
struct JournalReceiver {
  /// A ring's entry; in ns since the epoch.
  struct Ring {
    var dueAt: Int64
    var sentAt: Int64
  }

  private let descriptor: Int32

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw BenchFailure("cannot listen at \(path): errno \(errno)") }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, 4)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The next `count` rings, other entries passed over.
  func rings(_ count: Int) throws -> [Ring] {
    var rings: [Ring] = []
    while rings.count < count {
      if let ring = try receive() { rings.append(ring) }
    }
    return rings
  }

  private func receive() throws -> Ring? {
    var text = [UInt8](repeating: 0, count: 16384)
    var control = [UInt8](repeating: 0, count: 128)
    let received = text.withUnsafeMutableBytes { text in
      control.withUnsafeMutableBytes { control in
        var piece = iovec(iov_base: text.baseAddress, iov_len: text.count)
        return withUnsafeMutablePointer(to: &piece) { piece in
          var message = msghdr()
          message.msg_iov = piece
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return recvmsg(descriptor, &message, 0)
        }
      }
    }
    guard received >= 0 else { throw BenchFailure("no entry within 10 s: errno \(errno)") }
    let lines = text[..<received].split(separator: UInt8(ascii: "\n"))
    guard lines.contains(where: { $0.elementsEqual("PRIORITY=5".utf8) }),
      let due = lines.first(where: { $0.starts(with: "EGG_DUE_AT=".utf8) }),
      let dueAt = Int64(String(decoding: due.dropFirst(11), as: UTF8.self))
    else { return nil }
    // cmsg(3): a header of 16 bytes, then the struct timespec
    let stamp = control.withUnsafeBytes {
      (
        level: $0.load(fromByteOffset: 8, as: Int32.self), kind: $0.load(fromByteOffset: 12, as: Int32.self),
        seconds: $0.load(fromByteOffset: 16, as: Int64.self),
        rest: $0.load(fromByteOffset: 24, as: Int64.self)
      )
    }
    guard stamp.level == SOL_SOCKET, stamp.kind == SO_TIMESTAMPNS else {
      throw BenchFailure("the kernel stamped no entry")
    }
    return Ring(dueAt: dueAt * 1000, sentAt: stamp.seconds * 1_000_000_000 + stamp.rest)
  }
}
