import Glibc
import LinuxIO
import Varlink

/// The interface's methods as blocking functions, for one thread at a time.
public final class ScheduleClient {
  public let connection: VarlinkClient

  /// Connects to the daemon's socket. Throws unreachable (EPERM) if the socket belongs to another user.
  /// `timeout` limits the wait for a daemon that does not accept.
  public init(path: String, timeout: Duration? = nil) throws(ScheduleClientError) {
    connection = try told { () throws(VarlinkClientError) in
      let connection = try VarlinkClient(path: path, timeout: timeout)
      guard let peer = PeerCredentials(ofPeerOn: connection.descriptor), PeerCredentials.isOurUser(peer)
      else {
        throw .unreachable(errno: EPERM, path: path)
      }
      return connection
    }
  }

  public init(_ connection: VarlinkClient) { self.connection = connection }

  /// Sends a call and waits for its reply. After `timeout` the connection is closed.
  public func call<Call: ScheduleMethod>(
    _ call: Call, timeout: Duration? = nil
  ) throws(ScheduleClientError) -> Call.Reply {
    try told { () throws(VarlinkClientError) in
      try connection.call(Call.qualifiedName, call, timeout: timeout)
    }
  }

  /// Sends a call whose reply `take` gets before the next one's is received; nil if the daemon refused it.
  package func sendAhead<Call: ScheduleMethod>(
    _ call: Call, take: @escaping (Call.Reply?) -> Void
  ) throws(ScheduleClientError) {
    try told { () throws(VarlinkClientError) in
      try connection.sendAhead(Call.qualifiedName, call, take: take)
    }
  }

  /// Sends a call; ``receive(_:timeout:)`` takes its reply later. At most 64 may be open.
  package func send<Call: ScheduleMethod>(_ call: Call) throws(ScheduleClientError) {
    try told { () throws(VarlinkClientError) in try connection.send(Call.qualifiedName, call) }
  }

  /// The same, with the JSON of its parameters.
  package func send<Call: ScheduleMethod>(_: Call.Type, json: [UInt8]) throws(ScheduleClientError) {
    try told { () throws(VarlinkClientError) in try connection.send(Call.qualifiedName, json: json) }
  }

  /// The reply to the earliest open call.
  package func receive<Call: ScheduleMethod>(
    _: Call.Type, timeout: Duration
  ) throws(ScheduleClientError) -> Call.Reply {
    try told { () throws(VarlinkClientError) in try connection.receive(timeout: timeout) }
  }

  /// Reads all pages of a list, or all messages of a subscription. If `each` returns false or throws, the
  /// connection is closed. `timeout` limits the wait for each reply.
  ///
  /// Throws ``ScheduleClientError``, or what `each` throws.
  public func stream<Call: ScheduleMethod>(
    _ call: Call, timeout: Duration? = nil, each: (Call.Reply) throws -> Bool
  ) throws {
    do {
      try connection.callMore(Call.qualifiedName, call, timeout: timeout, each: each)
    } catch let error as VarlinkClientError {
      throw ScheduleClientError(error)
    }
  }

  /// Begins a stream. `takeArrived` reads its messages; closing the connection ends it.
  public func begin<Call: ScheduleMethod>(_ call: Call) throws(ScheduleClientError) {
    try told { () throws(VarlinkClientError) in try connection.beginMore(Call.qualifiedName, call) }
  }

  /// Waits for the first message as ``VarlinkClient/whileSilent`` says.
  package func awaitFirst() throws(ScheduleClientError) {
    try told { () throws(VarlinkClientError) in try connection.awaitFirst() }
  }

  /// The stream's next message, if it has arrived. After nil, poll the connection's `descriptor`.
  public func takeArrived<Call: ScheduleMethod>(
    of call: Call.Type
  ) throws(ScheduleClientError) -> (reply: Call.Reply, isLast: Bool)? {
    try told { () throws(VarlinkClientError) in try connection.takeArrived(as: Call.Reply.self) }
  }
}

private func told<Value>(
  _ body: () throws(VarlinkClientError) -> Value
) throws(ScheduleClientError) -> Value {
  do { return try body() } catch { throw ScheduleClientError(error) }
}

public enum ScheduleClientError: Error, Sendable {
  case refused(ScheduleError)
  /// The daemon refused the value of that parameter (`org.varlink.service.InvalidParameter`).
  case invalidParameter(String)
  /// Anything else: unreachable, cut off, timed out, not our protocol, unknown error.
  case connection(VarlinkClientError)

  /// Tells the daemon's refusals from failures of the connection.
  public init(_ error: VarlinkClientError) {
    struct Invalid: Decodable { var parameter: String }
    guard case .remote(let remote) = error else {
      self = .connection(error)
      return
    }
    if let refusal = ScheduleError(remote) {
      self = .refused(refusal)
    } else if remote.name == "org.varlink.service.InvalidParameter",
      let invalid = remote.parameters(as: Invalid.self)
    {
      self = .invalidParameter(invalid.parameter)
    } else {
      self = .connection(error)
    }
  }
}
