import CSystemd
import Glibc
import Synchronization

/// A notification server on a private bus that stamps each Notify as it comes.
final class BusReceiver: Sendable {
  /// A Notify; the moment in ns since the epoch.
  struct Notice: Sendable {
    /// The first argument, app_name: a bubble that reads as another one has its alarm's number behind the name.
    var sender: String
    /// The unique name of the connection.
    var origin: String
    var at: Int64

    func isOf(_ name: String) -> Bool { sender == name || sender.hasPrefix(name + " #") }
  }

  /// In order.
  private let notices = Mutex<[Notice]>([])
  private let lastID = Atomic<UInt32>(0)
  private let thread = Mutex<Worker<Void>?>(nil)

  /// Owns org.freedesktop.Notifications on return.
  init(address: String) throws {
    nonisolated(unsafe) var bus: OpaquePointer?
    sd_bus_new(&bus)
    sd_bus_set_address(bus, address)
    sd_bus_set_bus_client(bus, 1)
    guard sd_bus_start(bus) >= 0,
      sd_bus_add_object(
        bus, nil, "/org/freedesktop/Notifications",
        { message, box, _ in
          guard let message, let box else { return 0 }
          return Unmanaged<BusReceiver>.fromOpaque(box).takeUnretainedValue().called(message)
        }, Unmanaged.passUnretained(self).toOpaque()) >= 0,
      sd_bus_request_name(bus, "org.freedesktop.Notifications", 0) >= 0
    else { throw BenchFailure("no notification server on the bus") }
    // the thread's alone from here on
    nonisolated(unsafe) let connection = bus
    let worker = Worker {
      while true {
        while sd_bus_process(connection, nil) > 0 {}
        sd_bus_flush(connection)
        let result = sd_bus_wait(connection, UInt64.max)
        guard result >= 0 || result == -EINTR else { return }
      }
    }
    thread.withLock { $0 = worker }
  }

  /// What came of eggd since the last time, once there are `count`; waits for `patience` s. In ns since the epoch.
  func take(_ count: Int, of sender: String = "Egg Timer", patience: Double = 20) throws -> [Int64] {
    try takeNotices(count, of: sender, patience: patience).map(\.at)
  }

  /// The same, with where each came from.
  func takeNotices(
    _ count: Int, of sender: String = "Egg Timer", patience: Double = 20
  ) throws -> [Notice] {
    let deadline = Clock.steady() + Int64(patience * 1e9)
    while notices.withLock({ $0.count { $0.isOf(sender) } }) < count {
      guard Clock.steady() < deadline else {
        throw BenchFailure(
          "\(notices.withLock { $0.count { $0.isOf(sender) } }) of \(count) notifications came")
      }
      Clock.sleep(0.05)
    }
    return notices.withLock { notices in
      defer { notices.removeAll { $0.isOf(sender) } }
      return notices.filter { $0.isOf(sender) }
    }
  }

  private func called(_ message: OpaquePointer) -> Int32 {
    let now = Clock.wall()
    var reply: OpaquePointer?
    sd_bus_message_new_method_return(message, &reply)
    switch sd_bus_message_get_member(message).map({ String(cString: $0) }) {
    case "Notify":
      var text: UnsafePointer<CChar>?
      sd_bus_message_read_basic(message, code("s"), &text)
      let sender = text.map { String(cString: $0) } ?? ""
      let origin = sd_bus_message_get_sender(message).map { String(cString: $0) } ?? ""
      notices.withLock { $0.append(Notice(sender: sender, origin: origin, at: now)) }
      var id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
      sd_bus_message_append_basic(reply, code("u"), &id)
    case "GetCapabilities":
      sd_bus_message_open_container(reply, code("a"), "s")
      for name in ["actions", "body"] { sd_bus_message_append_basic(reply, code("s"), name) }
      sd_bus_message_close_container(reply)
    case "GetServerInformation":
      for text in ["bench", "eggd", "1", "1.2"] { sd_bus_message_append_basic(reply, code("s"), text) }
    case "CloseNotification": break
    default: return 0
    }
    sd_bus_send(nil, reply, nil)
    sd_bus_message_unref(reply)
    return 1
  }

  private func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
