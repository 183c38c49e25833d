import Alarms
import CSystemd
import DBus
import Dispatch
import Glibc

/// Runs hooks as transient units of the user's service manager, like `systemd-run --user --collect`: outside eggd's
/// sandbox, with the manager's environment, and with what they print in the journal under their alarm's number.
///
/// The connection to the bus is its own, and is closed while no hook runs. Sendable because it is confined to `queue`.
final class TransientUnits: @unchecked Sendable {
  enum Outcome {
    /// It ended so; nil where that could not be learned.
    case ended(HookRun.Result?)
    case noManager
  }

  private static let service = "org.freedesktop.systemd1"
  static let manager = BusConnection.Address(
    service, path: "/org/freedesktop/systemd1", interface: "\(service).Manager")
  private static let folder = "/org/freedesktop/systemd1/unit"

  private struct Running {
    /// Whether the manager has taken it.
    var isStarted = false
    var begun: () -> Void
    var ended: (Outcome) -> Void
  }

  private let address: String?
  private let queue: DispatchQueue
  private var connection: BusConnection?
  private var isReady = false
  private var waiting: [() -> Void] = []
  /// By the paths of their units on the bus.
  private var running: [String: Running] = [:]
  private var count = 0

  /// - Parameter address: The session bus; nil where the environment names none.
  init(address: String?, queue: DispatchQueue) {
    self.address = address
    self.queue = queue
  }

  /// Starts a hook with `input` as its standard input. `begun` is called on the queue when the manager has taken it, and
  /// `ended` then, or without that.
  func start(
    _ hook: Hook, input: [UInt8], begun: @escaping () -> Void, ended: @escaping (Outcome) -> Void
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard connect() else { return ended(.noManager) }
    let begin = { [self] in call(hook, input, begun, ended) }
    if isReady { begin() } else { waiting.append(begin) }
  }

  private func connect() -> Bool {
    guard connection == nil else { return true }
    guard let address else { return false }
    do throws(BusError) {
      connection = try BusConnection(address: address, queue: queue) { [weak self] in self?.handle($0) }
      return true
    } catch {
      return false
    }
  }

  private func handle(_ event: BusConnection.Event) {
    switch event {
    case .ready:
      // The manager sends signals only to those who ask.
      try? connection?.send(Self.manager, "Subscribe") { _ in }
      try? connection?.match(
        """
        type='signal',interface='org.freedesktop.DBus.Properties',\
        member='PropertiesChanged',path_namespace='\(Self.folder)',arg0='\(Self.service).Unit'
        """
      ) { [weak self] in self?.changed($0.path ?? "") }
      isReady = true
      let calls = waiting
      waiting = []
      for call in calls { call() }
    case .lost:
      connection = nil
      isReady = false
      let (lost, unsent) = (running, waiting)
      running = [:]
      waiting = []
      for unit in lost.values { unit.ended(unit.isStarted ? .ended(nil) : .noManager) }
      // These fail, or find a new connection.
      for call in unsent { call() }
    }
  }

  private func call(
    _ hook: Hook, _ input: [UInt8], _ begun: @escaping () -> Void, _ ended: @escaping (Outcome) -> Void
  ) {
    guard let connection else { return ended(.noManager) }
    count += 1
    let name = "eggd-hook-\(hook.number)-\(hook.ring.firedAt.microseconds)-\(count).service"
    guard let path = Self.path(of: name) else { return ended(.ended(.notStarted("out of memory"))) }
    running[path] = Running(begun: begun, ended: ended)
    connection.call(Self.manager, "StartTransientUnit") { message throws(BusError) in
      try message.append(name)
      try message.append("fail")
      try message.container("a", "(sv)") { () throws(BusError) in
        try Self.properties(of: hook, input, in: message)
      }
      try message.container("a", "(sa(sv))") { () throws(BusError) in }
    } reply: { [weak self] reply in
      self?.answered(reply, path)
    }
  }

  private func answered(_ reply: BusMessage?, _ path: String) {
    guard running[path] != nil else { return }
    if let error = reply?.error {
      let isAbsent = error.name.hasSuffix(".ServiceUnknown") || error.name.hasSuffix(".NameHasNoOwner")
      return end(path, isAbsent ? .noManager : .ended(.notStarted(error.text)))
    }
    guard reply != nil else { return end(path, .noManager) }
    running[path]?.isStarted = true
    running[path]?.begun()
    // It may have ended already.
    changed(path)
  }

  private func changed(_ path: String) {
    guard running[path]?.isStarted == true else { return }
    get("ActiveState", of: "Unit", path, read: { reply throws(BusError) in try reply.readString() }) {
      [weak self] state in
      if state == "inactive" || state == "failed" { self?.learn(path, failed: state == "failed") }
    }
  }

  /// Asks how it ended, if it did: it is inactive before its start too. It may end between two questions, so the result,
  /// which is set together with the code, comes last.
  private func learn(_ path: String, failed: Bool) {
    var (code, status, active): (Int32?, Int32, UInt64) = (nil, 0, 0)
    number("ExecMainCode", path) { code = $0 }
    number("ExecMainStatus", path) { status = $0 ?? 0 }
    get(
      "ActiveEnterTimestampMonotonic", of: "Unit", path,
      read: { reply throws(BusError) in try reply.readLong() }
    ) { active = $0 ?? 0 }
    get("Result", of: "Service", path, read: { reply throws(BusError) in try reply.readString() }) {
      [weak self] result in
      guard let self, running[path] != nil, failed || code != 0 else { return }
      // The manager keeps the unit for whom it gave a reference.
      try? connection?.send(
        BusConnection.Address(Self.service, path: path, interface: "\(Self.service).Unit"), "Unref"
      ) { _ in }
      end(path, .ended(result.map { Self.result($0, code: code ?? 0, status: status, ran: active > 0) }))
    }
  }

  private func number(_ property: String, _ path: String, _ take: @escaping (Int32?) -> Void) {
    get(property, of: "Service", path, read: { reply throws(BusError) in try reply.readInteger() }, take)
  }

  /// Of a service's properties `Result`, `ExecMainCode` (as in sigaction(2)) and `ExecMainStatus`,
  /// org.freedesktop.systemd1(5). A unit of type exec is active once its program runs.
  static func result(_ result: String, code: Int32, status: Int32, ran: Bool) -> HookRun.Result {
    switch (result, code) {
    case ("timeout", _): .timedOut
    // systemd.exec(5), Process Exit Codes: what fails before the program runs. A program may end so, too.
    case ("exit-code", Int32(CLD_EXITED)) where (200...245).contains(status) && !ran:
      .notStarted("the service manager could not run it (status \(status))")
    case (_, Int32(CLD_EXITED)): .exited(Int64(status))
    case (_, Int32(CLD_KILLED)), (_, Int32(CLD_DUMPED)): .killed(Int64(status))
    // No process of it ever ran.
    default: .notStarted("the service manager says: \(result)")
    }
  }

  private func end(_ path: String, _ outcome: Outcome) {
    guard let ended = running.removeValue(forKey: path)?.ended else { return }
    ended(outcome)
    guard running.isEmpty, waiting.isEmpty else { return }
    connection?.close()
    connection = nil
    isReady = false
  }

  private func get<Value>(
    _ property: String, of interface: String, _ path: String,
    read: @escaping (BusMessage) throws(BusError) -> Value, _ take: @escaping (Value?) -> Void
  ) {
    let address = BusConnection.Address(Self.service, path: path, interface: "\(Self.service).\(interface)")
    let type = Value.self == String.self ? "s" : Value.self == UInt64.self ? "t" : "i"
    connection?.get(property, of: address, as: type, read: read, take)
  }

  private static func properties(
    of hook: Hook, _ input: [UInt8], in message: BusMessage
  ) throws(BusError) {
    for (name, text) in [
      ("Description", "Command of alarm #\(hook.number)"),
      // journald cannot tell the unit of a program that has ended by the time its words are read.
      ("SyslogIdentifier", "eggd-hook-\(hook.number)"),
      // Started once the program runs: one that cannot be run is told from one that fails.
      ("Type", "exec"), ("CollectMode", "inactive-or-failed"), ("StandardInput", "data"),
    ] {
      try message.append("r", name, "s") { () throws(BusError) in try message.append(text) }
    }
    try message.append("r", "AddRef", "b") { () throws(BusError) in try message.append(true) }
    try message.append("r", "RuntimeMaxUSec", "t") { () throws(BusError) in
      try message.append(UInt64(Hook.patience) * 1_000_000)
    }
    try message.append("r", "StandardInputData", "ay") { () throws(BusError) in try message.append(input) }
    try message.append("r", "Environment", "as") { () throws(BusError) in
      try message.append(hook.variables.map { "\($0.name)=\($0.value)" })
    }
    try message.append("r", "ExecStart", "a(sasb)") { () throws(BusError) in
      try message.container("a", "(sasb)") { () throws(BusError) in
        try message.container("r", "sasb") { () throws(BusError) in
          try message.append(hook.words[0])
          // systemd.service(5): the manager puts variables in, unless a dollar sign is doubled.
          try message.append(hook.words.map { $0.replacingEach("$", with: "$$") })
          try message.append(false)
        }
      }
    }
  }

  /// Of a unit, on the bus.
  private static func path(of name: String) -> String? {
    var encoded: UnsafeMutablePointer<CChar>?
    guard sd_bus_path_encode(folder, name, &encoded) >= 0, let encoded else { return nil }
    defer { free(encoded) }
    return String(cString: encoded)
  }
}
