import Dispatch
import Glibc
import LinuxIO

/// Serves interfaces, and `org.varlink.service`, on stream sockets.
///
/// What a client sends that cannot be served is answered, or ends the connection, as UAPI.20 says:
///
/// | sent | outcome |
/// |---|---|
/// | no JSON, no UTF-8, no object, nested deeper than 64 | close |
/// | a member that is unknown (but for an object under a name with a dot), repeated, or of another type | close |
/// | no `method`; two of `more`, `oneway`, `upgrade` | close |
/// | a message longer than `ServerLimits.messageBytes` | close |
/// | the end of the stream in the middle of a message | close; that message is not acted on |
/// | an interface or a method that is not there | InterfaceNotFound, MethodNotFound (with its full name) |
/// | a parameter that is unknown, missing, repeated, of another type, no value of its enumeration | InvalidParameter |
/// | `more` for a method that gives one reply | one reply, without `continues` |
/// | `upgrade` | MethodNotImplemented: the connection stays as it is |
/// | anything with `oneway` | no reply, not even an error |
///
/// Before a connection is closed for what it sent, the calls before that are answered.
/// Every property is guarded by `queue`.
public final class VarlinkServer: @unchecked Sendable {
  let queue: DispatchQueue
  let limits: ServerLimits
  let scratch: ReadBuffer
  let epoll: Epoll
  private let router: Router
  private let admits: @Sendable (PeerCredentials) -> Bool
  private let yielded: @Sendable (Yielding, PeerCredentials) -> Void
  private var listeners: [Listener] = []
  private var connections: [ConnectionID: ServerConnection] = [:]
  private var lastNumber: UInt64 = 0
  private var moment: UInt64 = 0
  /// What all connections hold together.
  private var heldBytes = 0
  private var turns = TurnOrder<ConnectionID>()
  private var isTurnComing = false
  private var isStopping = false
  private var completions: [@Sendable () -> Void] = []

  /// Everything happens on `queue`, which must be serial. `admits` is asked once for each accepted or
  /// adopted connection, which is closed at once when it says no; by default only our own effective user is
  /// let in. `yielded` is told on the queue of each connection that gave way to others. Throws if two interfaces have
  /// one name.
  public init(
    queue: DispatchQueue, service: ServiceIdentity, interfaces: [VarlinkInterface],
    limits: ServerLimits = .standard,
    admits: @escaping @Sendable (PeerCredentials) -> Bool = PeerCredentials.isOurUser,
    yielded: @escaping @Sendable (Yielding, PeerCredentials) -> Void = { _, _ in }
  ) throws {
    self.queue = queue
    self.limits = limits
    self.admits = admits
    self.yielded = yielded
    scratch = ReadBuffer(count: limits.bytesPerTurn)
    epoll = try Epoll(queue: queue)
    router = try Router(
      [service.interface(beside: interfaces)] + interfaces, mostValues: limits.valuesPerCall)
  }

  /// Accepts on a listening socket, which the server owns from now on; the file stays when it is closed.
  /// May be called for several, from any queue.
  public func listen(on fd: Int32) {
    queue.async { [self] in
      if isStopping {
        Glibc.close(fd)
      } else {
        listeners.append(Listener(fd: fd, queue: queue, epoll: epoll) { [weak self] fd in self?.admit(fd) })
      }
    }
  }

  /// Serves a connected socket (from activation), which the server owns from now on. From any queue.
  public func adopt(connection fd: Int32) {
    queue.async { [self] in admit(fd) }
  }

  /// Stops accepting and reading, lets the calls in flight be answered and the replies be sent, then
  /// closes. Streams that have begun are closed when what they have said so far is sent, calls that await an
  /// event at once. What is not done after `grace` is closed as it is. `completion` is called on the queue when no connection is left. From
  /// any queue.
  public func stop(grace: Duration, completion: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      completions.append(completion)
      isStopping = true
      listeners = []
      for connection in connections.values { connection.stop() }
      completeStop()
      let (seconds, attoseconds) = grace.components
      let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(min(nanoseconds, 1e18)))) { [weak self] in
        for connection in self?.connections.values.map(\.self) ?? [] { connection.close() }
      }
    }
  }

  /// Open connections. On the queue only.
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

  /// Those that are closed already end with a later turn of the queue.
  private var holdings: [Holding] { connections.values.filter { !$0.isClosed }.map(\.holding) }

  private func makeRoom() {
    guard connections.values.count(where: { !$0.isClosed }) >= limits.connections else { return }
    // Nobody waits for what these asked; of very many that come and go the ends may not have been read yet.
    for connection in connections.values where connection.isLeft { connection.close() }
    let holdings = holdings
    if holdings.count >= limits.connections { giveWay(holdings.toMakeRoom, .connections) }
  }

  private func giveWay(_ id: ConnectionID?, _ why: Yielding) {
    guard let connection = id.flatMap({ connections[$0] }) else { return }
    yielded(why, connection.peer)
    connection.giveWay()
  }
}

extension VarlinkServer {
  /// Longer than this no turn goes on once it has handled a call.
  private static var turn: DispatchTimeInterval { .milliseconds(1) }

  /// Counts up: tells earlier from later.
  func nextMoment() -> UInt64 {
    moment += 1
    return moment
  }

  /// A connection holds so many bytes more than before.
  func holds(_ change: Int) {
    heldBytes += change
    while change > 0, heldBytes > limits.heldBytes, let largest = holdings.toFreeMemory {
      giveWay(largest, .memory)
    }
  }

  func closed(_ connection: ServerConnection) {
    connections[connection.id] = nil
    turns.remove(connection.id)
    completeStop()
  }

  /// - Parameter isFresh: It had nothing open and nothing to do until now.
  func wantsTurn(_ connection: ServerConnection, isFresh: Bool) {
    turns.add(connection.id, isFresh: isFresh)
    guard !isTurnComing else { return }
    isTurnComing = true
    queue.async { [weak self] in self?.giveTurn() }
  }

  /// One connection's turn, then whatever else the queue has to do, then the next.
  private func giveTurn() {
    if let turn = turns.next(), let connection = connections[turn.key] {
      let start = threadTime()
      // Of many that come at once none is to wait for more than a call of each.
      connection.takeTurn(calls: turn.isFresh ? 1 : limits.callsPerTurn, until: .now() + Self.turn)
      if connections[turn.key] != nil { turns.charge(turn.key, nanoseconds: threadTime() - start) }
    }
    // Only now, so that who spoke up during this turn is heard before the next one is given.
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

/// What this thread has had of the processors, in nanoseconds: unlike the time of day it does not count what
/// others had of them meanwhile.
private func threadTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
