import FoundationEssentials

/// One call, to be answered once (or, with `more`, several times). Its members are used on the server's
/// queue only.
///
/// Replies leave in the order of the calls, whatever order they are made in. A call that is let go of
/// without an answer fails with `org.varlink.service.MethodNotImplemented`; so does one whose reply cannot
/// be encoded.
public final class ServerCall: @unchecked Sendable {
  /// Without the interface's name.
  public let method: String
  private let call: PendingCall
  private let link: ServerConnection
  /// Only ever set by what ends the call, so that `deinit`, on whatever queue, may read it.
  private var isAnswered = false

  init(_ call: PendingCall, on connection: ServerConnection) {
    self.call = call
    link = connection
    method = call.message.names.method
  }

  deinit {
    if !isAnswered { link.abandon(call) }
  }

  var message: CallMessage { call.message }

  /// The client takes several replies.
  public var wantsMore: Bool { call.wantsMore }

  /// The client takes no reply: `reply` and `fail` send nothing, but still end the call.
  public var isOneway: Bool { call.message.oneway }

  /// Of which connection: the same for all of its calls, and never used again.
  public var connection: ConnectionID { link.id }

  /// Who called.
  public var peer: PeerCredentials { link.peer }

  /// The parameters; throws InvalidParameter naming the field that `P` refuses. That they have the declared
  /// form was checked before.
  public func parameters<P: Decodable>(as: P.Type = P.self) throws(CallFailure) -> P {
    do {
      let json = call.message.parameters.map { call.message.json[$0] } ?? [UInt8]("{}".utf8)[...]
      return try JSONDecoder().decode(P.self, from: Data(json))
    } catch let error as DecodingError {
      throw .invalidParameter(error.fieldPath)
    } catch {
      throw .invalidParameter("parameters")
    }
  }

  /// Answers. The reply without `continues` ends the call, and so does any when the client takes only one.
  public func reply(_ parameters: some Encodable & Sendable, continues: Bool = false) {
    guard let json = try? MessageWriter.encode(parameters) else {
      return fail(.methodNotImplemented(call.message.method))
    }
    reply(json: json, continues: continues)
  }

  /// Answers with parameters that are JSON already: the bytes of one object, with no NUL.
  public func reply(json parameters: [UInt8], continues: Bool = false) {
    let continues = continues && call.wantsMore
    let message = MessageWriter.reply(parameters: parameters, continues: continues)
    isAnswered = !continues
    link.answer(call, message, isLast: !continues)
  }

  /// Answers with no parameters.
  public func reply() {
    reply(json: [UInt8]("{}".utf8))
  }

  /// Answers with an error, which ends the call.
  public func fail(_ failure: CallFailure) {
    isAnswered = true
    link.answer(call, MessageWriter.error(failure), isLast: true)
  }

  /// Whether the connection has ended: nothing that is replied arrives.
  public var isClosed: Bool { link.isClosed }

  /// Bytes of this connection's replies that the client has not taken yet.
  public var unsentBytes: Int { link.unsentBytes }

  /// Called once when the connection ends before this call is answered, or the server stops and cuts off a
  /// stream or what awaits an event. Replaces what was set before.
  public func onClose(_ action: @escaping @Sendable () -> Void) {
    if call.isDone { return }
    call.closeAction = action
  }

  /// What answers this call may never happen: a server that stops closes it instead of waiting for that, and a full one
  /// closes its connection for a new one.
  public func awaitEvent() { call.awaitsEvent = true }

  /// Counts what answering this call keeps in memory, beside its message and replies, among what all connections may
  /// hold (`ServerLimits.heldBytes`), until it is answered. Replaces what was set before.
  public func keep(bytes: Int) { link.keep(bytes: bytes, for: call) }

  /// Called once when the connection has ended, however many calls came on it.
  public func whenConnectionEnds(_ action: @escaping @Sendable () -> Void) { link.whenEnded(action) }

  /// Called once, later, when at most so many bytes are unsent; never when the connection has ended. For
  /// long listings, which make the next page when the client has taken the last.
  public func whenUnsent(atMost bytes: Int, _ action: @escaping @Sendable () -> Void) {
    link.whenUnsent(atMost: bytes, action)
  }
}

/// Names one connection of one server.
public struct ConnectionID: Hashable, Sendable {
  let number: UInt64
}

extension DecodingError {
  /// The field concerned, with dots between names; an element of an array bears the array's name.
  var fieldPath: String {
    let (context, key): (Context, (any CodingKey)?) =
      switch self {
      case .keyNotFound(let key, let context): (context, key)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context, nil)
      @unknown default: (Context(codingPath: [], debugDescription: ""), nil)
      }
    let path = (context.codingPath + [key].compactMap(\.self)).filter { $0.intValue == nil }.map(
      \.stringValue)
    return path.isEmpty ? "parameters" : path.joined(separator: ".")
  }
}
