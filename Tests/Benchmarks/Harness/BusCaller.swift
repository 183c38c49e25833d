import CSystemd

/// Calls Notify as eggd does, with nothing around it. Of one thread.
final class BusCaller {
  private let bus: OpaquePointer
  private let name: String

  /// Connected on return. `name` is the app_name of each call.
  init(address: String, name: String) throws {
    self.name = name
    var created: OpaquePointer?
    sd_bus_new(&created)
    guard let created else { throw BenchFailure("no memory for a bus") }
    bus = created
    sd_bus_set_address(bus, address)
    sd_bus_set_bus_client(bus, 1)
    guard sd_bus_start(bus) >= 0 else { throw BenchFailure("no connection to the bus") }
    while sd_bus_is_ready(bus) == 0 {
      guard sd_bus_process(bus, nil) >= 0 else { throw BenchFailure("no connection to the bus") }
      sd_bus_wait(bus, 10_000)
    }
  }

  deinit { sd_bus_flush_close_unref(bus) }

  /// Sends one, and takes what came in answer to those before.
  func notify() {
    let service = "org.freedesktop.Notifications"
    var message: OpaquePointer?
    let path = "/org/freedesktop/Notifications"
    sd_bus_message_new_method_call(bus, &message, service, path, service, "Notify")
    var number: UInt32 = 0
    append("s", name)
    sd_bus_message_append_basic(message, code("u"), &number)
    for text in ["eggd", "Wait!", "Your eggs are almost done!"] { append("s", text) }
    sd_bus_message_open_container(message, code("a"), "s")
    for text in ["default", "Dismiss", "snooze", "Snooze"] { append("s", text) }
    sd_bus_message_close_container(message)
    sd_bus_message_open_container(message, code("a"), "{sv}")
    sd_bus_message_close_container(message)
    number = .max
    sd_bus_message_append_basic(message, code("i"), &number)
    sd_bus_send(bus, message, nil)
    sd_bus_message_unref(message)
    while sd_bus_process(bus, nil) > 0 {}

    func append(_ type: Character, _ text: String) { sd_bus_message_append_basic(message, code(type), text) }
  }

  private func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
