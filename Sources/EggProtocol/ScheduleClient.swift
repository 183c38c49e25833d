import Glibc
import Varlink

/// The daemon's interface as functions: blocking, one thread at a time.
public final class ScheduleClient {
  public let connection: VarlinkClient

  /// Connects to the daemon's socket. One that another user serves is unreachable (EPERM); `timeout` ends the wait for one
  /// that does not accept.
  public init(path: String, timeout: Duration? = nil) throws(ScheduleClientError) {
    do throws(VarlinkClientError) {
      connection = try VarlinkClient(path: path, timeout: timeout)
      guard let peer = PeerCredentials(ofPeerOn: connection.descriptor), PeerCredentials.isOurUser(peer)
      else {
        throw .unreachable(errno: EPERM, path: path)
      }
    } catch {
      throw ScheduleClientError(error)
    }
  }

  /// Takes over a connection.
  public init(_ connection: VarlinkClient) { self.connection = connection }

  /// One call and its reply; `timeout` ends the wait and the connection.
  public func call<Call: ScheduleMethod>(
    _ call: Call, timeout: Duration? = nil
  ) throws(ScheduleClientError) -> Call.Reply {
    do throws(VarlinkClientError) {
      return try connection.call(Call.qualifiedName, call, timeout: timeout)
    } catch {
      throw ScheduleClientError(error)
    }
  }

  /// All pages of a list, or all messages of a subscription, until `each` returns false or throws, which closes
  /// the connection. `timeout` is for each single reply.
  ///
  /// Throws ``ScheduleClientError``, or what `each` throws.
  public func stream<Call: ScheduleMethod>(
    _ call: Call, timeout: Duration? = nil, each: (Call.Reply) throws -> Bool
  ) throws {
    do {
      try connection.callMore(
        Call.qualifiedName, call, timeout: timeout, scan: Call.reply(scanning:), each: each)
    } catch let error as VarlinkClientError {
      throw ScheduleClientError(error)
    }
  }

  /// Begins a stream whose messages are taken by `takeArrived`; ended by closing the connection.
  public func begin<Call: ScheduleMethod>(_ call: Call) throws(ScheduleClientError) {
    do throws(VarlinkClientError) {
      try connection.beginMore(Call.qualifiedName, call)
    } catch {
      throw ScheduleClientError(error)
    }
  }

  /// Waits for the first message as ``VarlinkClient/whileSilent`` says.
  package func awaitFirst() throws(ScheduleClientError) {
    do throws(VarlinkClientError) {
      try connection.awaitFirst()
    } catch {
      throw ScheduleClientError(error)
    }
  }

  /// The stream's next message, if it has come; where it gives nil, the connection's `descriptor` can be polled.
  public func takeArrived<Call: ScheduleMethod>(
    of call: Call.Type
  ) throws(ScheduleClientError) -> (reply: Call.Reply, isLast: Bool)? {
    do throws(VarlinkClientError) {
      return try connection.takeArrived(as: Call.Reply.self)
    } catch {
      throw ScheduleClientError(error)
    }
  }
}

/// Why a call came to nothing.
public enum ScheduleClientError: Error, Sendable {
  /// The daemon refused it.
  case refused(ScheduleError)
  /// The daemon refused the value of that parameter (`org.varlink.service.InvalidParameter`).
  case invalidParameter(String)
  /// Anything else: not reachable, cut off, timed out, not our protocol, another error's name.
  case connection(VarlinkClientError)

  /// Sorts what the connection reports.
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
