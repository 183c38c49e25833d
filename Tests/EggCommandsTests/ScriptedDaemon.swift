import CLinux
import Dispatch
import EggProtocol
import EggTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

/// A Varlink server on a real socket that answers calls in order from a script.
///
/// The test fails if an answer is not as the interface declares; see ``disagrees``.
final class ScriptedDaemon: Sendable {
  /// The answer to one call.
  enum Answer: Sendable {
    /// The messages of the reply, as JSON.
    case messages([String])
    /// The messages, then the connection is closed.
    case lastMessages([String])
    /// The connection is closed.
    case hangUp
    /// No answer.
    case silence

    /// To the question of `list` for what rings, which it asks behind a first page that is not the last.
    static let nothingRings = Answer.messages([
      "{\"parameters\":{\"alarms\":[],\"totals\":{\"alarms\":0,\"eggs\":0}}}"
    ])
  }

  /// The clients' XDG_RUNTIME_DIR.
  let directory: String
  private let listener: Int32
  private let script: Mutex<[Answer]>
  /// Replaces the script.
  private let answering: (@Sendable (String) -> Answer)?
  private let received = Mutex<[String]>([])
  private let faults = Mutex<[String]>([])
  /// Its interface differs from the compiled one, so answers are not checked.
  private let disagrees: Bool

  /// Listens in its own directory. `answering` replaces the script.
  init(
    _ script: [Answer] = [], disagrees: Bool = false, answering: (@Sendable (String) -> Answer)? = nil
  ) throws {
    self.script = Mutex(script)
    self.disagrees = disagrees
    self.answering = answering
    directory = try Self.temporaryDirectory()
    mkdir(directory + "/eggd", 0o700)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array((directory + "/eggd/eggd.sock").utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 8) == 0
      }
    }
    guard isBound else { throw SystemFailure(code: errno) }
    DispatchQueue(label: "scripted daemon").async { self.serve() }
  }

  /// Closes the socket and removes the directory; call it once.
  func end() {
    for fault in faults.withLock({ $0 }) { Issue.record(Comment(rawValue: fault)) }
    shutdown(listener, Int32(SHUT_RDWR))
    unlink(directory + "/eggd/eggd.sock")
    rmdir(directory + "/eggd")
    rmdir(directory)
  }

  /// The received calls as JSON.
  var calls: [String] { received.withLock { $0 } }

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      DispatchQueue(label: "scripted connection").async { self.serve(connection) }
    }
    close(listener)
  }

  private func serve(_ connection: Int32) {
    var goesOn = true
    while goesOn, let call = Self.message(from: connection) {
      received.withLock { $0.append(call) }
      var replies: [String] = []
      let answer = answering?(call) ?? script.withLock { $0.isEmpty ? .hangUp : $0.removeFirst() }
      switch answer {
      case .messages(let some): replies = some
      case .lastMessages(let some): (replies, goesOn) = (some, false)
      case .hangUp: goesOn = false
      case .silence: break
      }
      for reply in replies {
        if !disagrees, let fault = Self.fault(in: reply, to: call) { faults.withLock { $0.append(fault) } }
        Self.send(Array(reply.utf8) + [0], to: connection)
      }
    }
    close(connection)
  }

  /// How a reply differs from the interface's declaration; nil if it does not.
  private static func fault(in reply: String, to call: String) -> String? {
    do {
      let interface = try InterfaceDescription(parsing: ScheduleInterface.text)
      let method = try CallMessage(Array(call.utf8)).names.method
      let message = try ReplyMessage(Array(reply.utf8))
      // Other interfaces, such as org.varlink.service, declare their own errors.
      let own = ScheduleInterface.name + "."
      guard message.error?.hasPrefix(own) ?? true else { return nil }
      let error = message.error.map { interface.errors[String($0.dropFirst(own.count))] }
      guard let fields = error ?? interface.methods[method]?.output else {
        return call.contains(own) ? "the interface declares no such reply: \(reply)" : nil
      }
      let parameters = message.parameters
      try ParameterCheck(interface: interface).check(parameters, 0..<parameters.count, against: fields)
      return nil
    } catch let fault as ParameterCheck.Fault {
      return "'\(fault.field)' is not as the interface declares it: \(reply)"
    } catch {
      return "\(error): \(reply)"
    }
  }

  private static func message(from connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(connection, &byte, 1) == 1 {
      if byte == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// A new directory, private to this test.
  static func temporaryDirectory() throws -> String {
    var template = Array("/tmp/eggctl-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFailure(code: errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// An errno.
struct SystemFailure: Error {
  var code: Int32
}

extension ScriptedDaemon.Answer {
  /// A reply with these parameters, as JSON.
  static func reply(_ parameters: String) -> Self { .messages(["{\"parameters\":\(parameters)}"]) }
}
