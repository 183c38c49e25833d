import Glibc

/// A connection that sends calls as bytes made beforehand, and counts replies: it takes next to no time of its own.
final class Wire {
  let descriptor: Int32
  /// Of the reply that is coming, as far as it tells whether it is an error.
  private var beginning: [UInt8] = []
  /// Replies that were errors.
  private(set) var errors = 0

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard UnixAddress.with(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      throw BenchFailure("cannot connect to \(path): errno \(errno)")
    }
  }

  deinit { close(descriptor) }

  /// A call as a message. `parameters` is a JSON object.
  static func call(_ method: String, _ parameters: String = "{}", more: Bool = false) -> [UInt8] {
    let flag = more ? #","more":true"# : ""
    return Array(#"{"method":"io.eggd.Schedule.\#(method)","parameters":\#(parameters)\#(flag)}"#.utf8) + [0]
  }

  func send(_ bytes: [UInt8]) throws { try send(bytes[...]) }

  private func send(_ bytes: ArraySlice<UInt8>) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.send(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw BenchFailure("eggd does not take calls: errno \(errno)") }
      sent += count
    }
  }

  /// How many replies have come, at least one; waits for that.
  func replies() throws -> Int {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      var complete = 0
      while complete == 0 {
        let size = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if size < 0, errno == EINTR { continue }
        guard size > 0 else { throw BenchFailure("eggd closed the connection") }
        complete += count(UnsafeRawBufferPointer(rebasing: buffer[..<size]))
      }
      return complete
    }
  }

  /// How many replies end there.
  private func count(_ bytes: UnsafeRawBufferPointer) -> Int {
    let mark = #"{"error":"#.utf8
    var complete = 0
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = UnsafeRawBufferPointer(rebasing: rest).firstNUL.map { rest.startIndex + $0 }
      if beginning.count < mark.count {
        beginning += rest[..<(end ?? rest.endIndex)].prefix(mark.count - beginning.count)
      }
      guard let end else { break }
      complete += 1
      if beginning.elementsEqual(mark) { errors += 1 }
      beginning.removeAll(keepingCapacity: true)
      rest = rest[(end + 1)...]
    }
    return complete
  }

  /// One call and its reply, in ns.
  func time(_ call: [UInt8]) throws -> Int64 {
    let begin = Clock.steady()
    try send(call)
    guard try replies() == 1 else { throw BenchFailure("more than one reply") }
    return Clock.steady() - begin
  }

  /// Makes the same call for so long, `depth` of them under way at a time; how many were answered in a second.
  func rate(_ call: [UInt8], depth: Int, seconds: Double) throws -> Double {
    let calls = Array(repeatElement(call, count: depth).joined())
    let begin = Clock.steady()
    let end = begin + Int64(seconds * 1e9)
    var answered = 0
    var underWay = depth
    try send(calls)
    while underWay > 0 {
      let count = try replies()
      answered += count
      underWay -= count
      guard Clock.steady() < end else { continue }
      try send(calls[..<(count * call.count)])
      underWay += count
    }
    guard errors == 0 else { throw BenchFailure("\(errors) calls were refused") }
    return Double(answered) / (Double(Clock.steady() - begin) / 1e9)
  }
}

extension UnsafeRawBufferPointer {
  /// memchr(3): bytes one after the other would be most of what a client does.
  fileprivate var firstNUL: Int? {
    guard let start = baseAddress, let found = memchr(start, 0, count) else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
