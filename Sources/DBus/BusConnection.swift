import CSystemd
import Dispatch
import Glibc
import LinuxIO

/// A connection to a message bus, sd_bus_new(3), driven by Dispatch. Never blocks: calls are asynchronous, and
/// what the socket does not take waits in sd-bus's own buffer.
///
/// Sendable because it is confined to `queue`, which guards every stored property; only Dispatch's handlers,
/// which run on that queue, carry it across.
package final class BusConnection: @unchecked Sendable {
  /// What happens to the connection as a whole.
  package enum Event {
    /// The bus has answered Hello.
    case ready
    /// It is gone; every call under way has been answered with an error. Comes once, and last.
    case lost
  }

  private let bus: OpaquePointer
  private let queue: DispatchQueue
  private let events: (Event) -> Void
  private let epoll: Epoll
  private let descriptor: Int32
  private let timer: any DispatchSourceTimer
  private var awaitsRoom = false
  /// CLOCK_MONOTONIC µs; `max` while the timer is off.
  private var armed = UInt64.max
  private var isScheduled = false
  private var isReady = false
  private var isClosed = false

  /// Begins to connect to `address` (D-Bus specification, Server Addresses).
  ///
  /// - Throws: what connect(2) answered at once: ENOENT where there is no socket, ECONNREFUSED where nobody
  ///   listens.
  package init(address: String, queue: DispatchQueue, events: @escaping (Event) -> Void) throws(BusError) {
    var created: OpaquePointer?
    try BusError.check(sd_bus_new(&created))
    guard let bus = created else { throw BusError(code: -ENOMEM) }
    let epoll: Epoll
    do throws(Epoll.Failure) {
      epoll = try Epoll(queue: queue)
    } catch {
      sd_bus_unref(bus)
      throw BusError(code: -error.errno)
    }
    let descriptor: Int32
    do throws(BusError) {
      try BusError.check(sd_bus_set_address(bus, address))
      try BusError.check(sd_bus_set_bus_client(bus, 1))
      try BusError.check(sd_bus_start(bus))
      descriptor = try BusError.check(sd_bus_get_fd(bus))
    } catch {
      sd_bus_close_unref(bus)
      throw error
    }
    self.bus = bus
    self.queue = queue
    self.events = events
    self.descriptor = descriptor
    self.epoll = epoll
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.process() }
    timer.resume()
    epoll.add(descriptor) { [weak self] _ in self?.process() }
    // From here on deinit closes the bus.
    guard epoll.watch(descriptor, for: .readable) else { throw BusError(code: -errno) }
    processSoon()
  }

  deinit { if !isClosed { release() } }

  /// Ends the connection. Nothing is called any more, not even `lost`.
  package func close() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return }
    isClosed = true
    release()
  }

  /// The bus's own id, the same for all its connections; nil before it is ready.
  package var busID: String? {
    guard isReady, !isClosed else { return nil }
    var id = sd_id128_t()
    guard sd_bus_get_bus_id(bus, &id) >= 0 else { return nil }
    return withUnsafeBytes(of: id) { bytes in
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  private func release() {
    timer.cancel()
    // Not while it is being processed.
    nonisolated(unsafe) let bus = bus
    queue.async { [epoll, descriptor] in
      epoll.remove(descriptor)
      sd_bus_close_unref(bus)
    }
  }
}

extension BusConnection {
  package struct Address {
    package var destination: String
    package var path: String
    package var interface: String

    package init(_ destination: String, path: String, interface: String) {
      self.destination = destination
      self.path = path
      self.interface = interface
    }
  }

  /// Sends a call; `reply` gets the answer, an error reply included, or nil where the call could not even be
  /// queued. It is never called before `call` returns, nor after ``close()``.
  ///
  /// - Parameter isPatient: Only a reply or a disconnect ends it, not sd-bus's own 25 s.
  package func call(
    _ address: Address, _ member: String, autoStart: Bool = false, isPatient: Bool = false,
    write: (BusMessage) throws(BusError) -> Void = { _ throws(BusError) in },
    reply: @escaping (BusMessage?) -> Void
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    do throws(BusError) {
      guard !isClosed else { throw BusError(code: -ENOTCONN) }
      let message = try BusMessage(calling: address, member, on: bus)
      try BusError.check(sd_bus_message_set_auto_start(message.pointer, autoStart ? 1 : 0))
      try write(message)
      try hand(reply) { slot, box in
        sd_bus_call_async(
          bus, &slot, message.pointer, Handler.called, box, isPatient ? .max : 0)
      }
    } catch {
      nonisolated(unsafe) let reply = reply
      queue.async { [weak self] in
        if let self, !isClosed { reply(nil) }
      }
      return
    }
    processSoon()
  }

  /// Reads a property of an interface; `take` gets what `read` makes of its value, or nil.
  ///
  /// - Parameter type: Its signature.
  package func get<Value>(
    _ property: String, of address: Address, as type: String,
    read: @escaping (BusMessage) throws(BusError) -> Value, _ take: @escaping (Value?) -> Void
  ) {
    var properties = address
    properties.interface = "org.freedesktop.DBus.Properties"
    call(properties, "Get") { message throws(BusError) in
      try message.append(address.interface)
      try message.append(property)
    } reply: { reply in
      guard let reply, reply.error == nil else { return take(nil) }
      take(try? reply.inside("v", type) { () throws(BusError) in try read(reply) })
    }
  }

  /// Sends a call whose answer does not matter.
  package func send(
    _ address: Address, _ member: String, write: (BusMessage) throws(BusError) -> Void
  ) throws(BusError) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { throw BusError(code: -ENOTCONN) }
    let message = try BusMessage(calling: address, member, on: bus)
    try BusError.check(sd_bus_message_set_auto_start(message.pointer, 0))
    try BusError.check(sd_bus_message_set_expect_reply(message.pointer, 0))
    try write(message)
    try BusError.check(sd_bus_send(bus, message.pointer, nil))
    processSoon()
  }

  /// Hands every signal that fits `rule` to `body`, as long as the connection lives.
  package func match(_ rule: String, _ body: @escaping (BusMessage) -> Void) throws(BusError) {
    dispatchPrecondition(condition: .onQueue(queue))
    try hand(body) { slot, box in sd_bus_add_match_async(bus, &slot, rule, Handler.called, nil, box) }
    processSoon()
  }

  /// Hands messages to `body`: those for which `add` makes a slot. From then on the slot belongs to the bus, and the closure
  /// to the slot.
  private func hand(
    _ body: @escaping (BusMessage) -> Void,
    _ add: (_ slot: inout OpaquePointer?, _ box: UnsafeMutableRawPointer) -> Int32
  ) throws(BusError) {
    let box = Unmanaged.passRetained(Handler(self, body))
    var slot: OpaquePointer?
    let result = add(&slot, box.toOpaque())
    guard result >= 0 else {
      box.release()
      throw BusError(code: result)
    }
    sd_bus_slot_set_destroy_callback(slot) { box in
      if let box { Unmanaged<Handler>.fromOpaque(box).release() }
    }
    sd_bus_slot_set_floating(slot, 1)
    sd_bus_slot_unref(slot)
  }

  /// A closure on its way through `userdata`; the slot that carries it releases it, whatever ends the slot.
  private final class Handler {
    private weak var connection: BusConnection?
    private let body: (BusMessage) -> Void

    init(_ connection: BusConnection, _ body: @escaping (BusMessage) -> Void) {
      self.connection = connection
      self.body = body
    }

    static var called: sd_bus_message_handler_t {
      { message, box, _ in
        guard let message, let box else { return 0 }
        let handler = Unmanaged<Handler>.fromOpaque(box).takeUnretainedValue()
        guard let connection = handler.connection, !connection.isClosed else { return 0 }
        handler.body(BusMessage(referencing: message))
        return 0
      }
    }
  }
}

extension BusConnection {
  /// A call goes out at once where the socket takes it. All else comes from a handler of its own, so that
  /// nothing is called back from inside a call.
  private func processSoon() {
    guard !isScheduled else { return }
    isScheduled = true
    queue.async { [weak self] in self?.process() }
  }

  private func process() {
    isScheduled = false
    guard !isClosed else { return }
    var result: Int32
    repeat { result = sd_bus_process(bus, nil) } while result > 0 && !isClosed
    guard !isClosed else { return }
    guard result == 0, sd_bus_is_open(bus) > 0 else {
      close()
      events(.lost)
      return
    }
    if !isReady, sd_bus_is_ready(bus) > 0 {
      isReady = true
      events(.ready)
    }
    guard !isClosed else { return }
    watch()
  }

  /// sd_bus_get_events(3) and sd_bus_get_timeout(3) change with every call and every processed message.
  private func watch() {
    let wantsRoom = sd_bus_get_events(bus) & Int32(POLLOUT) != 0
    if wantsRoom != awaitsRoom {
      awaitsRoom = wantsRoom
      _ = epoll.watch(descriptor, for: wantsRoom ? [.readable, .writable] : .readable)
    }
    var deadline = UInt64.max
    if sd_bus_get_timeout(bus, &deadline) < 0 { deadline = .max }
    guard deadline != armed else { return }
    armed = deadline
    let (nanoseconds, overflow) = deadline.multipliedReportingOverflow(by: 1_000)
    timer.schedule(deadline: overflow ? .distantFuture : DispatchTime(uptimeNanoseconds: max(nanoseconds, 1)))
  }
}
