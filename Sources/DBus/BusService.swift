import CSystemd
import Glibc

/// An object on the session bus that answers calls under a name of its own, for one thread, which it blocks.
package final class BusService {
  package struct Method {
    let signature: String
    let answer: (_ call: BusMessage, _ reply: BusMessage) throws(BusError) -> Void

    /// `answer` reads a call of exactly this signature and writes its reply. What it throws is the answer otherwise.
    package init(
      _ signature: String,
      answer: @escaping (_ call: BusMessage, _ reply: BusMessage) throws(BusError) -> Void
    ) {
      self.signature = signature
      self.answer = answer
    }
  }

  private let bus: OpaquePointer
  private let name: String
  private var methods: [String: Method] = [:]

  /// Throws EEXIST if another process has the name.
  package init(name: String, path: String) throws(BusError) {
    var opened: OpaquePointer?
    try BusError.check(sd_bus_open_user(&opened))
    guard let bus = opened else { throw BusError(code: -ENOMEM) }
    (self.bus, self.name) = (bus, name)
    // The bus goes with this object, so nothing is called behind its end.
    let box = Unmanaged.passUnretained(self).toOpaque()
    try BusError.check(sd_bus_add_object(bus, nil, path, Self.called, box))
    try BusError.check(sd_bus_request_name(bus, name, 0))
  }

  deinit { sd_bus_flush_close_unref(bus) }

  /// Serves `methods`, by interface and member with a full stop between, until nothing has come for so long, in seconds.
  package func serve(_ methods: [String: Method], idle seconds: UInt64) throws(BusError) {
    self.methods = methods
    defer { self.methods = [:] }
    repeat { try processAll() } while try wait(seconds)
    // A call that comes from here on starts the program anew.
    try BusError.check(sd_bus_release_name(bus, name))
    try processAll()
  }

  /// Sends a call whose answer does not matter.
  package func send(
    _ address: BusConnection.Address, _ member: String, write: (BusMessage) throws(BusError) -> Void
  ) throws(BusError) {
    let message = try BusMessage(calling: address, member, on: bus)
    try BusError.check(sd_bus_message_set_expect_reply(message.pointer, 0))
    try write(message)
    try BusError.check(sd_bus_send(bus, message.pointer, nil))
  }

  private func processAll() throws(BusError) {
    while try BusError.check(sd_bus_process(bus, nil)) > 0 {}
  }

  /// - Returns: false if nothing came.
  private func wait(_ seconds: UInt64) throws(BusError) -> Bool {
    let result = sd_bus_wait(bus, seconds * 1_000_000)
    if result == -EINTR { return true }
    return try BusError.check(result) > 0
  }

  private static let called: sd_bus_message_handler_t = { message, box, error in
    guard let message, let box else { return 0 }
    return Unmanaged<BusService>.fromOpaque(box).takeUnretainedValue().serve(
      BusMessage(referencing: message), error)
  }

  /// 0 leaves the call to sd-bus, which knows the interfaces that every object has and refuses others.
  private func serve(_ call: BusMessage, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    guard let method = methods["\(call.interface ?? "").\(call.member ?? "")"] else { return 0 }
    guard sd_bus_message_has_signature(call.pointer, method.signature) > 0 else {
      return sd_bus_error_set(
        error, "org.freedesktop.DBus.Error.InvalidArgs", "the signature is '\(method.signature)'")
    }
    do throws(BusError) {
      var created: OpaquePointer?
      try BusError.check(sd_bus_message_new_method_return(call.pointer, &created))
      guard let created else { throw BusError(code: -ENOMEM) }
      let reply = BusMessage(adopting: created)
      try method.answer(call, reply)
      try BusError.check(sd_bus_send(bus, created, nil))
      return 1
    } catch {
      return error.code
    }
  }
}
