import Alarms
import EggProtocol
import EggStore
import Glibc
import LinuxIO
import Varlink

/// What is known of the connections that have made changes.
///
/// Confined to the wire's queue, hence safe to capture in closures that return to it.
final class Clients: @unchecked Sendable {
  private struct Client {
    var program: ChangeClient
    /// It may give no alarm a command.
    var isCommandless = false
    var staged: PendingImport?
  }

  private let store: AlarmStore
  /// Until the connection ends.
  private var clients: [ConnectionID: Client] = [:]

  init(store: AlarmStore) { self.store = store }

  func program(of call: ServerCall) -> ChangeClient { note(call).program }

  /// The alarms that the connection has staged and not committed.
  func staged(by call: ServerCall) -> PendingImport? { clients[call.connection]?.staged }

  func stage(_ pending: PendingImport?, for call: ServerCall) {
    _ = note(call)
    clients[call.connection]?.staged = pending
  }

  func mayBringCommands(_ call: ServerCall) -> Bool { clients[call.connection]?.isCommandless != true }

  /// Refuses commands, if the connection may give an alarm none.
  func permit(_ manner: Manner, for call: ServerCall) throws(CallFailure) {
    guard !manner.hasCommands || mayBringCommands(call) else { throw ScheduleError.commandForbidden.failure }
  }

  func forbidCommands(_ call: ServerCall) {
    _ = note(call)
    clients[call.connection]?.isCommandless = true
    call.reply(NoParameters())
  }

  func relay(_ call: ServerCall) throws(CallFailure) {
    let asked: RelayCall = try call.parameters()
    guard (1...255).contains(asked.from.utf8.count) else { throw .invalidParameter("from") }
    // The caller tells before it passes on anything: those whose calls it passes on cannot tell otherwise.
    if clients[call.connection] == nil {
      let name = program(of: call).name ?? "a program"
      clients[call.connection]?.program.name = "\(name) from \(asked.from)"
    }
    call.reply(NoParameters())
  }

  private func note(_ call: ServerCall) -> Client {
    if let known = clients[call.connection] { return known }
    let client = Client(program: ChangeClient(processID: call.peer.pid))
    clients[call.connection] = client
    // Capturing the call itself would keep its message until then.
    call.whenConnectionEnds { [weak self, connection = call.connection] in
      let ended = self?.clients.removeValue(forKey: connection)
      if let staged = ended?.staged { self?.store.endImport(staged.id) }
    }
    return client
  }
}

/// A connection's staged alarms.
struct PendingImport {
  let id: ImportID
  var count: Int64 = 0
  var deleted: [AlarmID] = []
  /// Why a chunk of it could not be staged.
  var failure: CallFailure?
}

extension ChangeClient {
  /// Named after /proc/PID/comm (proc(5)).
  fileprivate init(processID: Int32) {
    self.init(name: nil, session: nil)
    guard processID > 0 else { return }
    let session = getsid(processID)
    if session > 0 { self.session = Int64(session) }
    guard let comm = try? SafeFile.read("/proc/\(processID)/comm", upTo: 32), comm.count > 1 else { return }
    name = String(decoding: comm.dropLast(), as: UTF8.self)
  }
}
