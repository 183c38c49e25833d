import CSystemd
import Dispatch
import Glibc
import LinuxIO

/// A service of a test's own on a real bus: owns a name, and hands what is called to the test.
///
/// Sendable because `queue` guards every stored property.
package final class BusService: @unchecked Sendable {
  /// What went wrong on the bus: a negative errno.
  package struct Failure: Error {
    package var code: Int32
  }

  /// Takes a call by its member; false for one that it does not know. On the queue.
  package typealias Handler = (_ member: String, _ call: OpaquePointer) -> Bool

  private let queue: DispatchQueue
  private let path: String
  private let handler: Handler
  private var bus: OpaquePointer?
  /// The bus's, which it closes by itself when the connection breaks.
  private var descriptor: Int32 = -1
  private let epoll: Epoll

  /// Owns `name` on return, and takes what is called on `path` and, with `below`, on what lies below it.
  package init(
    _ bus: PrivateBus, name: String, path: String, below: Bool = false, queue: DispatchQueue,
    handler: @escaping Handler
  ) throws {
    (self.path, self.queue, self.handler) = (path, queue, handler)
    epoll = try Epoll(queue: queue)
    try queue.sync { try connect(bus.address, name, below) }
  }

  deinit {
    // Not while it is being processed.
    nonisolated(unsafe) let bus = bus
    queue.async { [epoll, descriptor] in Self.close(bus, descriptor, epoll) }
  }

  private static func close(_ bus: OpaquePointer?, _ descriptor: Int32, _ epoll: Epoll) {
    guard let bus else { return }
    epoll.remove(descriptor)
    sd_bus_close_unref(bus)
  }

  private func connect(_ address: String, _ name: String, _ below: Bool) throws {
    sd_bus_new(&bus)
    try check(sd_bus_set_address(bus, address))
    try check(sd_bus_set_bus_client(bus, 1))
    try check(sd_bus_start(bus))
    let box = Unmanaged.passUnretained(self).toOpaque()
    let add = below ? sd_bus_add_fallback : sd_bus_add_object
    try check(
      add(
        bus, nil, path,
        { message, box, _ in
          guard let message, let box, let member = sd_bus_message_get_member(message) else { return 0 }
          let service = Unmanaged<BusService>.fromOpaque(box).takeUnretainedValue()
          return service.handler(String(cString: member), message) ? 1 : 0
        }, box))
    try check(sd_bus_request_name(bus, name, 0))
    descriptor = sd_bus_get_fd(bus)
    epoll.add(descriptor) { [weak self] _ in self?.process() }
    guard epoll.watch(descriptor, for: .readable) else { throw Failure(code: -ENOMEM) }
    queue.async { [weak self] in self?.process() }
  }

  private func check(_ result: Int32) throws {
    guard result >= 0 else { throw Failure(code: result) }
  }

  private func process() {
    guard let bus else { return }
    while sd_bus_process(bus, nil) > 0 {}
    flush()
  }
}

/// All of these on the queue.
extension BusService {
  /// Breaks the connection, as a process that dies does.
  package func close() {
    Self.close(bus, descriptor, epoll)
    bus = nil
  }

  package func flush() {
    if let bus { sd_bus_flush(bus) }
  }

  package static func answer(_ call: OpaquePointer, _ write: (OpaquePointer?) -> Void = { _ in }) {
    var reply: OpaquePointer?
    sd_bus_message_new_method_return(call, &reply)
    write(reply)
    sd_bus_send(nil, reply, nil)
    sd_bus_message_unref(reply)
  }

  /// Sends a signal from `path`, or from where the service is.
  package func emit(
    _ interface: String, _ member: String, from path: String? = nil, _ write: (OpaquePointer?) -> Void
  ) {
    var signal: OpaquePointer?
    sd_bus_message_new_signal(bus, &signal, path ?? self.path, interface, member)
    write(signal)
    sd_bus_send(bus, signal, nil)
    sd_bus_message_unref(signal)
    flush()
  }

  package static func text(_ message: OpaquePointer) -> String {
    var text: UnsafePointer<CChar>?
    sd_bus_message_read_basic(message, code("s"), &text)
    return text.map { String(cString: $0) } ?? ""
  }

  /// A basic type, as sd_bus_message_append_basic(3) takes it.
  package static func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
