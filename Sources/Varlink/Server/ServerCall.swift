import Dispatch

/// One call, to be answered once (or, with `more`, several times). Its members are used on the server's queue only.
///
/// Replies leave in the order of the calls, whatever order they are made in. One that is let go of without
/// an answer fails with `org.varlink.service.MethodNotImplemented`.
public final class ServerCall: @unchecked Sendable {
  /// Without the interface's name.
  public let method: String
  /// The client takes several replies.
  public let wantsMore: Bool
  /// The client takes no reply: `reply` and `fail` send nothing.
  public let isOneway: Bool
  /// Of which connection: the same for all of its calls, and never used again.
  public let connection: ConnectionID
  /// Who called.
  public let peer: PeerCredentials

  init(method: String, wantsMore: Bool, isOneway: Bool, connection: ConnectionID, peer: PeerCredentials) {
    self.method = method
    self.wantsMore = wantsMore
    self.isOneway = isOneway
    self.connection = connection
    self.peer = peer
  }

  /// The parameters; throws InvalidParameter naming the field that `P` refuses. That they have the declared form
  /// was checked before.
  public func parameters<P: Decodable>(as: P.Type = P.self) throws(CallFailure) -> P {
    throw .invalidParameter("")
  }

  /// Answers. Only the reply without `continues` ends the call; `continues` needs `wantsMore`.
  public func reply(_ parameters: some Encodable & Sendable, continues: Bool = false) {}

  /// Answers with parameters that are JSON already: the bytes of one object.
  public func reply(json parameters: [UInt8], continues: Bool = false) {}

  /// Answers with no parameters.
  public func reply() {}

  /// Answers with an error, which ends the call.
  public func fail(_ failure: CallFailure) {}

  /// Whether the connection has ended: nothing that is replied arrives.
  public var isClosed: Bool { false }

  /// Bytes of this connection's replies that the client has not taken yet.
  public var unsentBytes: Int { 0 }

  /// Called once when the connection ends before this call is answered. Replaces what was set before.
  public func onClose(_ action: @escaping @Sendable () -> Void) {}

  /// Called once, later, when at most so many bytes are unsent (not when the connection has ended). For
  /// long listings, which make the next page when the client has taken the last.
  public func whenUnsent(atMost bytes: Int, _ action: @escaping @Sendable () -> Void) {}
}

/// Names one connection of one server.
public struct ConnectionID: Hashable, Sendable {
  let number: UInt64
}
