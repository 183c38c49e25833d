import Dispatch
import Glibc
import LinuxIO

/// Serves interfaces, and `org.varlink.service`, on stream sockets.
///
/// Requests that cannot be served are answered, or end the connection, as UAPI.20 says:
///
/// | request | outcome |
/// |---|---|
/// | not JSON, not UTF-8, not an object, nested deeper than 64 | close |
/// | a member repeated, of another type, or unknown (except an object under a name with a dot) | close |
/// | no `method`; two of `more`, `oneway`, `upgrade` | close |
/// | longer than `ServerLimits.messageBytes` | close |
/// | the stream ends within a message | close; the message is ignored |
/// | an unknown interface or method | InterfaceNotFound, MethodNotFound (with the full name) |
/// | a parameter unknown, missing, repeated, of another type, or not in its enumeration | InvalidParameter |
/// | `more` for a method with a single reply | one reply, without `continues` |
/// | `upgrade` | MethodNotImplemented; the connection stays open |
/// | anything with `oneway` | no reply, not even an error |
///
/// Before a connection is closed for a request, its earlier calls are answered.
/// `queue` guards every property.
public final class VarlinkServer: @unchecked Sendable {
  let queue: DispatchQueue
  let limits: ServerLimits
  let epoll: Epoll
  private let router: Router
  private let admits: @Sendable (PeerCredentials) -> Bool
  private let yielded: @Sendable (PeerCredentials) -> Void
  private var listeners: [Listener] = []
  private var connections: [ConnectionID: ServerConnection] = [:]
  private var lastNumber: UInt64 = 0
  private var moment: UInt64 = 0
  /// Of all connections.
  private var heldBytes = 0
  private var turns = TurnOrder<ConnectionID>()
  private var isTurnComing = false
  private var isStopping = false
  private var completions: [@Sendable () -> Void] = []

  /// Everything happens on `queue`, which must be serial. `admits` is asked once for each accepted or adopted
  /// connection; by default only our own effective user is admitted. `yielded` is called on the queue for
  /// each connection that gave way.
  public init(
    queue: DispatchQueue, service: ServiceIdentity, interfaces: [VarlinkInterface],
    limits: ServerLimits = .standard,
    admits: @escaping @Sendable (PeerCredentials) -> Bool = PeerCredentials.isOurUser,
    yielded: @escaping @Sendable (PeerCredentials) -> Void = { _ in }
  ) throws {
    self.queue = queue
    self.limits = limits
    self.admits = admits
    self.yielded = yielded
    epoll = try Epoll(queue: queue)
    router = Router(
      [try service.interface(beside: interfaces)] + interfaces, mostValues: limits.valuesPerCall)
  }

  /// Accepts on a listening socket and takes it over; its file stays. May be called for several, from any
  /// queue.
  public func listen(on fd: Int32) {
    queue.async { [self] in
      if isStopping {
        Glibc.close(fd)
      } else {
        listeners.append(Listener(fd: fd, queue: queue, epoll: epoll) { [weak self] fd in self?.admit(fd) })
      }
    }
  }

  /// Serves a connected socket (from activation) and takes it over. From any queue.
  public func adopt(connection fd: Int32) {
    queue.async { [self] in admit(fd) }
  }

  /// Stops accepting and reading, lets calls in flight be answered and replies be sent, then closes. Streams
  /// close once what they have said is sent; calls that await an event close at once. After `grace`
  /// everything is closed. `completion` is called on the queue when no connection is left. From any queue.
  public func stop(grace: DispatchTimeInterval, completion: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      completions.append(completion)
      isStopping = true
      listeners = []
      for connection in connections.values { connection.stop() }
      completeStop()
      queue.asyncAfter(deadline: .now() + grace) { [weak self] in
        for connection in self?.connections.values.map(\.self) ?? [] { connection.close() }
      }
    }
  }

  /// On the queue only.
  public var connectionCount: Int {
    dispatchPrecondition(condition: .onQueue(queue))
    return connections.count
  }

  private func completeStop() {
    guard isStopping, connections.isEmpty else { return }
    let actions = completions
    completions = []
    for action in actions { action() }
  }

  private func admit(_ fd: Int32) {
    guard !isStopping, let peer = PeerCredentials(ofPeerOn: fd), admits(peer) else {
      Glibc.close(fd)
      return
    }
    if connections.count >= limits.connections { makeRoom() }
    lastNumber += 1
    let connection = ServerConnection(
      id: ConnectionID(number: lastNumber), fd: fd, peer: peer, server: self)
    connections[connection.id] = connection
    connection.start()
  }

  /// Closed connections are removed in a later turn of the queue.
  private var holdings: [Holding] { connections.values.filter { !$0.isClosed }.map(\.holding) }

  private func makeRoom() {
    guard connections.values.count(where: { !$0.isClosed }) >= limits.connections else { return }
    // The clients of these are gone. After a burst of short connections, their ends may not have been read
    // yet.
    for connection in connections.values where connection.isLeft { connection.close() }
    let holdings = holdings
    if holdings.count >= limits.connections { giveWay(holdings.toMakeRoom) }
  }

  private func giveWay(_ id: ConnectionID?) {
    guard let connection = id.flatMap({ connections[$0] }) else { return }
    yielded(connection.peer)
    connection.giveWay()
  }
}

extension VarlinkServer {
  /// A turn ends after this long, but handles at least one call.
  private static var turn: DispatchTimeInterval { .milliseconds(1) }

  /// A counter that orders events.
  func nextMoment() -> UInt64 {
    moment += 1
    return moment
  }

  func addHeld(_ change: Int) {
    heldBytes += change
    while change > 0, heldBytes > limits.heldBytes, let largest = holdings.toFreeMemory {
      giveWay(largest)
    }
  }

  func closed(_ connection: ServerConnection) {
    connections[connection.id] = nil
    turns.remove(connection.id)
    completeStop()
  }

  /// `isFresh`: the connection had nothing open until now.
  func wantsTurn(_ connection: ServerConnection, isFresh: Bool) {
    turns.add(connection.id, isFresh: isFresh)
    guard !isTurnComing else { return }
    isTurnComing = true
    queue.async { [weak self] in self?.giveTurn() }
  }

  /// One turn, then whatever else the queue has to do, then the next.
  private func giveTurn() {
    if let turn = turns.next(), let connection = connections[turn.key] {
      let start = threadTime()
      // Of many new connections, none waits for more than one call of each other.
      connection.takeTurn(calls: turn.isFresh ? 1 : limits.callsPerTurn, until: .now() + Self.turn)
      if connections[turn.key] != nil { turns.charge(turn.key, nanoseconds: threadTime() - start) }
    }
    // Last, so that whoever asked during this turn is considered for the next.
    isTurnComing = !turns.isEmpty
    if isTurnComing { queue.async { [weak self] in self?.giveTurn() } }
  }

  func handle(_ call: ServerCall) {
    do throws(CallFailure) {
      let interface = try router.route(call.message)
      interface.handle(call)
    } catch {
      call.fail(error)
    }
  }
}

/// Processor time of this thread in nanoseconds. Unlike wall time it excludes other threads.
private func threadTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
