import Dispatch
import Glibc
import LinuxIO

/// The connection to the session bus, while there is one. Confined to its queue.
///
/// Nothing is polled: while there is no bus, inotify(7) tells when its socket appears. While a starting bus does not listen
/// yet, and after a bus was lost, a few tries follow at growing distances.
///
/// Sendable because `queue` guards every stored property.
package final class SessionBus: @unchecked Sendable {
  package enum Event {
    /// The bus has answered: calls may be made.
    case connected(BusConnection)
    /// There is none, for that reason; comes again only after `connected`.
    case absent(reason: String)
  }

  /// Milliseconds before each further try.
  private static let pauses = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

  /// Where the bus listens; nil where the environment names none.
  package let address: String?
  private let queue: DispatchQueue
  private let events: (Event) -> Void
  private var connection: BusConnection?
  private var watch: DirectoryWatch?
  private var failures = 0
  private var saidAbsent = false
  private var isStopped = false

  /// `environment` names the bus: DBUS_SESSION_BUS_ADDRESS, else the socket `bus` in XDG_RUNTIME_DIR.
  package init(queue: DispatchQueue, environment: [String: String], events: @escaping (Event) -> Void) {
    self.queue = queue
    self.events = events
    address = Self.address(in: environment)
  }

  /// Where an environment says that the bus listens; nil where it does not.
  package static func address(in environment: [String: String]) -> String? {
    if let named = environment["DBUS_SESSION_BUS_ADDRESS"], !named.isEmpty { return named }
    guard let directory = environment["XDG_RUNTIME_DIR"], !directory.isEmpty else { return nil }
    return "unix:path=\(directory.percentEncoded(keeping: "-_/.\\*"))/bus"
  }

  /// Leaves the bus for good.
  package func stop() {
    dispatchPrecondition(condition: .onQueue(queue))
    isStopped = true
    watch = nil
    connection?.close()
    connection = nil
  }

  /// Connects, now or when there is a bus. Again to try at once, because something waits to be shown and the socket may not
  /// be watchable.
  package func connect() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isStopped, connection == nil else { return }
    guard let address else {
      tellAbsent("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
      return
    }
    // Watched first: a socket that appears after the failed connect(2) is seen.
    if watch == nil, let path = Self.path(in: address) {
      watch = DirectoryWatch(path: path, queue: queue) { [weak self] in self?.appeared() }
    }
    watch?.watch()
    do throws(BusError) {
      connection = try BusConnection(address: address, queue: queue) { [weak self] in self?.handle($0) }
    } catch {
      tellAbsent(error.description)
      // Without a socket the watch tells; with one that refuses, its bus may be about to listen.
      if error.code != -ENOENT { retry() }
    }
  }

  private func handle(_ event: BusConnection.Event) {
    switch event {
    case .ready:
      failures = 0
      saidAbsent = false
      watch?.pause()
      if let connection { events(.connected(connection)) }
    case .lost:
      connection = nil
      tellAbsent("the connection was lost")
      retry()
    }
  }

  private func appeared() {
    failures = 0
    connect()
  }

  private func retry() {
    guard failures < Self.pauses.count else { return }
    let pause = Self.pauses[failures]
    failures += 1
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in self?.connect() }
  }

  private func tellAbsent(_ reason: String) {
    guard !saidAbsent else { return }
    saidAbsent = true
    events(.absent(reason: reason))
  }
}

extension SessionBus {
  /// The socket's path in the first `unix:path=` of an address; nil where there is none (abstract, tcp).
  static func path(in address: String) -> String? {
    for server in address.split(separator: ";") where server.hasPrefix("unix:") {
      for pair in server.dropFirst(5).split(separator: ",") where pair.hasPrefix("path=") {
        return unescape(pair.dropFirst(5))
      }
    }
    return nil
  }

  private static func unescape(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let digits = String(rest.prefix(2)), let code = UInt8(digits, radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
