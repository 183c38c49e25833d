import CSystemd
import Dispatch
import EggTestSupport
import Glibc

/// A stand-in for the user's service manager, on a real bus. It starts nothing: its unit ends when the test says.
///
/// Sendable because `queue` guards every stored property.
final class FakeServiceManager: @unchecked Sendable {
  /// What a service manager says of a unit; at first, of one whose start is only queued.
  struct Unit: Sendable {
    var state = "inactive"
    var result = "success"
    var code: Int32 = 0
    var status: Int32 = 0
    /// When it became active, in microseconds; 0 for never.
    var active: UInt64 = 0
  }

  private static let path = "/org/freedesktop/systemd1"
  private let queue = DispatchQueue(label: "service manager")
  private var service: BusService?
  private var unit = Unit()
  private var unitPath: String?
  private let ending: Unit
  private var questionsLeft: Int

  /// - Parameters:
  ///   - ending: How its unit ends.
  ///   - questions: How many questions about the unit come before that; where fewer come, it ends soon all the same.
  init(_ bus: PrivateBus, ending: Unit, after questions: Int) throws {
    (self.ending, questionsLeft) = (ending, questions)
    service = try BusService(
      bus, name: "org.freedesktop.systemd1", path: Self.path, below: true, queue: queue
    ) {
      [weak self] in self?.called($0, $1) ?? false
    }
  }

  private func called(_ member: String, _ call: OpaquePointer) -> Bool {
    switch member {
    case "Subscribe", "Unref": BusService.answer(call)
    case "StartTransientUnit":
      var encoded: UnsafeMutablePointer<CChar>?
      sd_bus_path_encode("\(Self.path)/unit", BusService.text(call), &encoded)
      unitPath = encoded.map { String(cString: $0) }
      free(encoded)
      BusService.answer(call) {
        sd_bus_message_append_basic($0, BusService.code("o"), "\(Self.path)/job/1")
      }
      queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.end() }
    case "Get":
      if questionsLeft == 0 { end() }
      questionsLeft -= 1
      _ = BusService.text(call)
      let property = BusService.text(call)
      BusService.answer(call) { append(property, to: $0) }
    default: return false
    }
    return true
  }

  private func append(_ property: String, to reply: OpaquePointer?) {
    func variant(_ type: Character, _ value: UnsafeRawPointer) {
      sd_bus_message_open_container(reply, BusService.code("v"), String(type))
      sd_bus_message_append_basic(reply, BusService.code(type), value)
      sd_bus_message_close_container(reply)
    }
    switch property {
    case "ActiveState": variant("s", unit.state)
    case "Result": variant("s", unit.result)
    case "ActiveEnterTimestampMonotonic": withUnsafePointer(to: unit.active) { variant("t", $0) }
    case "ExecMainCode": withUnsafePointer(to: unit.code) { variant("i", $0) }
    default: withUnsafePointer(to: unit.status) { variant("i", $0) }
    }
  }

  private func end() {
    guard unit.code == 0 else { return }
    unit = ending
    let properties = "org.freedesktop.DBus.Properties"
    service?.emit(properties, "PropertiesChanged", from: unitPath) { signal in
      sd_bus_message_append_basic(signal, BusService.code("s"), "org.freedesktop.systemd1.Unit")
      for contents in ["{sv}", "s"] {
        sd_bus_message_open_container(signal, BusService.code("a"), contents)
        sd_bus_message_close_container(signal)
      }
    }
  }
}
