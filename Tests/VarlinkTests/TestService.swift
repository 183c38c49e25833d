import CLinux
import Dispatch
import EggTestSupport
import Glibc
import LinuxIO
import Testing

@testable import Varlink

/// A server with one interface that answers in every possible way.
final class TestService: @unchecked Sendable {
  static let text = """
    interface org.example.test

    type Color (red, green)

    type Point (x: int, y: ?int)

    method Echo(text: string) -> (text: string)

    # The sum of the numbers; the rest is there to be checked
    method Sum(
      numbers: []int,
      point: ?Point,
      color: ?Color,
      factor: ?float,
      flag: ?bool,
      extra: ?object,
      table: ?[string]int
    ) -> (sum: int)

    # Counts up; with `more` only
    method Count(to: int) -> (number: int)

    # Answered when the test says so
    method Hold(name: string) -> (name: string)

    # Never answered
    method Forget() -> ()

    method Refuse() -> ()

    method Text(bytes: int) -> (text: string)

    error Refused (reason: string)
    """

  let queue = DispatchQueue(label: "varlink.test")
  let server: VarlinkServer
  private let holder: Holder

  /// Guarded by the queue.
  private final class Holder: @unchecked Sendable {
    var calls: [(name: String, call: ServerCall)] = []
    var oneway: [String] = []
    var closed: [String] = []
  }

  struct Text: Codable, Sendable, Equatable { var text: String }
  struct Name: Codable, Sendable, Equatable { var name: String }
  struct Numbers: Decodable { var numbers: [Int] }
  struct Bound: Decodable { var to: Int }
  struct Size: Decodable { var bytes: Int }

  init(
    limits: ServerLimits = .standard,
    admits: @escaping @Sendable (PeerCredentials) -> Bool = PeerCredentials.isOurUser,
    yielded: @escaping @Sendable (PeerCredentials) -> Void = { _ in }
  ) throws {
    let holder = Holder()
    self.holder = holder
    let interface = try VarlinkInterface(text: Self.text) { call in
      do { try Self.answer(call, holder) } catch { call.fail(error as? CallFailure ?? .expectedMore) }
    }
    server = try VarlinkServer(
      queue: queue, service: ServiceIdentity(vendor: "V", product: "P", version: "1", url: "u"),
      interfaces: [interface], limits: limits, admits: admits, yielded: yielded)
  }

  private static func answer(_ call: ServerCall, _ holder: Holder) throws {
    switch call.method {
    case "Echo":
      let text = try call.parameters(as: Text.self)
      if call.isOneway { holder.oneway.append(text.text) }
      call.reply(text)
    case "Sum": call.reply(["sum": try call.parameters(as: Numbers.self).numbers.reduce(0, &+)])
    case "Count":
      guard call.wantsMore else { throw CallFailure.expectedMore }
      let end = try call.parameters(as: Bound.self).to
      for number in 1...end { call.reply(["number": number], continues: number < end) }
    case "Hold":
      let name = try call.parameters(as: Name.self).name
      holder.calls.append((name, call))
      call.onClose { holder.closed.append(name) }
    case "Refuse": call.fail(CallFailure(name: "org.example.test.Refused", parameters: ["reason": "no"]))
    case "Text": call.reply(["text": String(repeating: "x", count: try call.parameters(as: Size.self).bytes)])
    default: break
    }
  }

  /// A connection without the file system.
  func connect() throws -> RawClient {
    var pair: [Int32] = [0, 0]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
    server.adopt(connection: pair[0])
    return RawClient(fd: pair[1])
  }

  func client() throws -> VarlinkClient {
    let raw = try connect()
    return VarlinkClient(descriptor: raw.release())
  }

  /// Answers a held call once it has arrived.
  func release(_ name: String, continues: Bool = false) {
    withHeld(name) { $0.reply(Name(name: name), continues: continues) }
  }

  func withHeld(_ name: String, _ body: @escaping @Sendable (ServerCall) -> Void) {
    let found: Void? = eventually {
      queue.sync {
        guard let index = holder.calls.firstIndex(where: { $0.name == name }) else { return nil }
        body(holder.calls[index].call)
        if holder.calls[index].call.wantsMore == false { holder.calls.remove(at: index) }
      }
    }
    if found == nil { Issue.record("'\(name)' was never called") }
  }

  var heldNames: [String] { queue.sync { holder.calls.map(\.name) } }
  var onewayTexts: [String] { queue.sync { holder.oneway } }
  var closedNames: [String] { queue.sync { holder.closed } }
  var connectionCount: Int { queue.sync { server.connectionCount } }
}

/// A client that can violate the protocol.
final class RawClient {
  enum Received: Equatable {
    case message(String)
    case closed
    case nothing
  }

  private var fd: Int32
  private var buffer: [UInt8] = []

  init(fd: Int32) {
    self.fd = fd
  }

  deinit {
    close()
  }

  func close() {
    if fd >= 0 { Glibc.close(fd) }
    fd = -1
  }

  func release() -> Int32 {
    defer { fd = -1 }
    return fd
  }

  /// Shuts down sending.
  func finish() { shutdown(fd, Int32(SHUT_WR)) }

  /// Sends until the peer stops taking for `patience`; returns the bytes sent.
  @discardableResult
  func send(_ bytes: [UInt8], within limit: Duration = patience) -> Int {
    var sent = 0
    let end = ContinuousClock.now + limit
    while sent < bytes.count, ContinuousClock.now < end {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        var entry = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, 20)
      } else {
        break
      }
    }
    return sent
  }

  /// Messages, each with its NUL.
  func send(_ messages: String...) {
    for message in messages { send(Array(message.utf8) + [0]) }
  }

  func receive(within limit: Duration = patience) -> Received {
    let end = ContinuousClock.now + limit
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var searched = 0
    while true {
      if let zero = buffer[searched...].firstIndex(of: 0) {
        defer { buffer.removeFirst(zero + 1) }
        return .message(String(decoding: buffer[..<zero], as: UTF8.self))
      }
      searched = buffer.count
      let count = recv(fd, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        buffer += chunk[..<count]
      } else if count == 0 || errno != EAGAIN {
        return .closed
      } else if ContinuousClock.now > end {
        return .nothing
      } else {
        var entry = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 20)
      }
    }
  }
}

func call(_ method: String, _ parameters: String? = nil, _ flag: String? = nil) -> String {
  var members = [#""method":"org.example.test.\#(method)""#]
  if let parameters { members.append(#""parameters":\#(parameters)"#) }
  if let flag { members.append(#""\#(flag)":true"#) }
  return "{\(members.joined(separator: ","))}"
}

func echo(_ text: String) -> String { call("Echo", #"{"text":"\#(text)"}"#) }
func echoReply(_ text: String) -> RawClient.Received { .message(#"{"parameters":{"text":"\#(text)"}}"#) }
