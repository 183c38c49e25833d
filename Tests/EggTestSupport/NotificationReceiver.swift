import CSystemd
import Dispatch

/// A stand-in for a notification server, on a real bus: records what it is asked, and answers as it is told.
///
/// Sendable because `queue` guards every stored property.
package final class NotificationReceiver: @unchecked Sendable {
  /// One Notify.
  package struct Notification: Sendable {
    package var id: UInt32
    package var application = ""
    package var replaces: UInt32 = 0
    package var icon = ""
    package var summary = ""
    package var body = ""
    package var actions: [String] = []
    /// Numbers and booleans as text.
    package var hints: [String: String] = [:]
    package var expire: Int32 = 0
    /// The caller's unique name.
    package var sender = ""
  }

  /// What becomes of a Notify.
  package enum Manner: Sendable {
    case answer
    /// An error reply.
    case refuse
    /// No reply, until ``answerLate()``.
    case hang
  }

  private let queue = DispatchQueue(label: "notification-receiver")
  private var service: BusService?
  private let name: String
  private let capabilities: [String]
  private var manner: Manner
  private var received: [Notification] = []
  private var closedIDs: [UInt32] = []
  private var pending: [(message: OpaquePointer, id: UInt32)] = []
  private var lastID: UInt32 = 0

  /// Owns org.freedesktop.Notifications on return. The ids that it gives begin above `firstID`.
  package init(
    _ bus: PrivateBus, named name: String = "receiver", capabilities: [String] = ["actions", "body"],
    manner: Manner = .answer,
    firstID: UInt32 = 0
  ) throws {
    self.name = name
    self.capabilities = capabilities
    self.manner = manner
    lastID = firstID
    service = try BusService(
      bus, name: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications", queue: queue
    ) { [weak self] member, call in self?.called(member, call) ?? false }
  }

  deinit {
    // Not while they are being processed.
    nonisolated(unsafe) let calls = pending.map(\.message)
    queue.async { for call in calls { sd_bus_message_unref(call) } }
  }

  /// All Notify calls so far, in order.
  package var notifications: [Notification] { queue.sync { received } }
  /// All ids of CloseNotification so far, in order.
  package var closed: [UInt32] { queue.sync { closedIDs } }

  /// From the next Notify on.
  package func behave(_ manner: Manner) { queue.sync { self.manner = manner } }

  /// Answers every call that it has let hang.
  package func answerLate() {
    queue.sync {
      for call in pending { reply(to: call.message, id: call.id) }
      pending = []
      service?.flush()
    }
  }

  /// Emits NotificationClosed.
  package func emitClosed(_ id: UInt32, reason: UInt32) {
    emit("NotificationClosed") { signal in
      var id = id
      var reason = reason
      sd_bus_message_append_basic(signal, code("u"), &id)
      sd_bus_message_append_basic(signal, code("u"), &reason)
    }
  }

  /// Emits ActionInvoked.
  package func emitAction(_ id: UInt32, _ action: String) {
    emit("ActionInvoked") { signal in
      var id = id
      sd_bus_message_append_basic(signal, code("u"), &id)
      sd_bus_message_append_basic(signal, code("s"), action)
    }
  }

  /// Breaks the connection, as a process that dies does.
  package func crash() {
    queue.sync {
      for call in pending { sd_bus_message_unref(call.message) }
      pending = []
      service?.close()
    }
  }
}

extension NotificationReceiver {
  private func called(_ member: String, _ call: OpaquePointer) -> Bool {
    switch member {
    case "Notify": notified(call)
    case "CloseNotification":
      var id: UInt32 = 0
      sd_bus_message_read_basic(call, code("u"), &id)
      closedIDs.append(id)
      BusService.answer(call)
    case "GetCapabilities":
      BusService.answer(call) { reply in
        sd_bus_message_open_container(reply, code("a"), "s")
        for capability in capabilities { sd_bus_message_append_basic(reply, code("s"), capability) }
        sd_bus_message_close_container(reply)
      }
    case "GetServerInformation":
      BusService.answer(call) { reply in
        for text in [name, "eggd", "1", "1.2"] { sd_bus_message_append_basic(reply, code("s"), text) }
      }
    default: return false
    }
    return true
  }

  private func notified(_ message: OpaquePointer) {
    let notification = read(message)
    received.append(notification)
    switch manner {
    case .answer: reply(to: sd_bus_message_ref(message), id: notification.id)
    case .hang: pending.append((sd_bus_message_ref(message), notification.id))
    case .refuse:
      var error = sd_bus_error()
      sd_bus_error_set(&error, "org.freedesktop.Notifications.Error.Refused", "too many")
      sd_bus_reply_method_error(message, &error)
      sd_bus_error_free(&error)
    }
  }

  private func read(_ message: OpaquePointer) -> Notification {
    var notification = Notification(id: 0)
    notification.sender = sd_bus_message_get_sender(message).map { String(cString: $0) } ?? ""
    notification.application = text(message)
    sd_bus_message_read_basic(message, code("u"), &notification.replaces)
    if notification.replaces == 0 { lastID += 1 }
    notification.id = notification.replaces == 0 ? lastID : notification.replaces
    notification.icon = text(message)
    notification.summary = text(message)
    notification.body = text(message)
    sd_bus_message_enter_container(message, code("a"), "s")
    while sd_bus_message_at_end(message, 0) == 0 { notification.actions.append(text(message)) }
    sd_bus_message_exit_container(message)
    sd_bus_message_enter_container(message, code("a"), "{sv}")
    while sd_bus_message_enter_container(message, code("e"), "sv") > 0 {
      let key = text(message)
      notification.hints[key] = variant(message)
      sd_bus_message_exit_container(message)
    }
    sd_bus_message_exit_container(message)
    sd_bus_message_read_basic(message, code("i"), &notification.expire)
    return notification
  }

  private func text(_ message: OpaquePointer) -> String { BusService.text(message) }

  private func variant(_ message: OpaquePointer) -> String {
    var contents: UnsafePointer<CChar>?
    sd_bus_message_peek_type(message, nil, &contents)
    guard let contents else { return "" }
    let type = String(cString: contents)
    sd_bus_message_enter_container(message, code("v"), type)
    defer { sd_bus_message_exit_container(message) }
    switch type {
    case "s": return text(message)
    case "y":
      var byte: UInt8 = 0
      sd_bus_message_read_basic(message, code("y"), &byte)
      return "y\(byte)"
    case "b":
      var flag: Int32 = 0
      sd_bus_message_read_basic(message, code("b"), &flag)
      return flag == 0 ? "false" : "true"
    default:
      sd_bus_message_skip(message, type)
      return type
    }
  }

  /// Takes over the reference to `message`.
  private func reply(to message: OpaquePointer?, id: UInt32) {
    guard let message else { return }
    var id = id
    BusService.answer(message) { sd_bus_message_append_basic($0, code("u"), &id) }
    sd_bus_message_unref(message)
  }

  private func emit(_ member: String, _ write: (OpaquePointer?) -> Void) {
    queue.sync { service?.emit("org.freedesktop.Notifications", member, write) }
  }

  private func code(_ type: Character) -> CChar { BusService.code(type) }
}
