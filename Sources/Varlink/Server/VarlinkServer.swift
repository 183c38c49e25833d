import Dispatch

/// Serves interfaces, and `org.varlink.service`, on stream sockets.
public final class VarlinkServer: @unchecked Sendable {
  private let queue: DispatchQueue

  /// Everything happens on `queue`, which must be serial. `admits` is asked once for each accepted or adopted
  /// connection, whose peer is closed at once when it says no; by default only our own effective user is let in.
  /// Throws if two interfaces have one name.
  public init(
    queue: DispatchQueue, service: ServiceIdentity, interfaces: [VarlinkInterface],
    limits: ServerLimits = .standard,
    admits: @escaping @Sendable (PeerCredentials) -> Bool = PeerCredentials.isOurUser
  ) throws(InterfaceError) {
    self.queue = queue
  }

  /// Accepts on a listening, non-blocking socket, which the server owns from now on. May be called for
  /// several, from any queue.
  public func listen(on fd: Int32) {}

  /// Serves a connected socket (from activation), which the server owns from now on. From any queue.
  public func adopt(connection fd: Int32) {}

  /// Stops accepting and reading, lets the calls in flight be answered and the replies be sent, then closes.
  /// What is not done after `grace` is closed as it is; calls made with `more` do not hold up the end: they are
  /// closed when what they have said so far is sent. `completion` is called on the queue. From any queue.
  public func stop(grace: Duration, completion: @escaping @Sendable () -> Void) {}

  /// Open connections. On the queue only.
  public var connectionCount: Int { 0 }
}

extension PeerCredentials {
  /// Whether the peer runs as our effective user.
  public static func isOurUser(_ peer: PeerCredentials) -> Bool { true }
}
