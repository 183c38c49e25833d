import LinuxIO

/// One call, to be answered once, or several times with `more`. Used on the server's queue only.
///
/// Replies are sent in the order of the calls, whatever order they are made in. One that cannot be encoded fails with
/// `org.varlink.service.MethodNotImplemented`.
public final class ServerCall: @unchecked Sendable {
  /// Without the interface's name.
  public let method: String
  let message: CallMessage
  /// The same for all calls of a connection; never reused.
  public let connection: ConnectionID
  public let peer: PeerCredentials
  /// nil once the connection has ended.
  private weak var link: ServerConnection?
  /// Replies made before an earlier call was answered.
  var held: [UInt8] = []
  var isDone = false
  /// A reply with `continues` was sent.
  var hasContinued = false
  /// Waits for an event that may never come.
  private(set) var awaitsEvent = false
  var keptBytes = 0
  var closeAction: (@Sendable () -> Void)?

  init(_ message: CallMessage, on connection: ServerConnection) {
    self.message = message
    method = message.names.method
    self.connection = connection.id
    peer = connection.peer
    link = connection
  }

  /// The client accepts several replies.
  public var wantsMore: Bool { message.more }

  /// The client accepts no reply: `reply` and `fail` send nothing but still end the call.
  public var isOneway: Bool { message.oneway }

  /// Throws InvalidParameter with the field that `P` refuses. The declared form has already been checked.
  public func parameters<P: Decodable>(as: P.Type = P.self) throws(CallFailure) -> P {
    do {
      let json = message.parameters.map { JSONScanner(checked: message.json, range: $0) }
      return try JSON.value(json ?? JSONScanner(Array("{}".utf8)))
    } catch let error as DecodingError {
      throw .invalidParameter(error.fieldPath)
    } catch {
      throw .invalidParameter("parameters")
    }
  }

  /// A reply without `continues` ends the call; so does any reply when the client accepts only one.
  public func reply(_ parameters: some Encodable & Sendable, continues: Bool = false) {
    guard let json = try? MessageWriter.encode(parameters) else {
      return fail(.methodNotImplemented(message.method))
    }
    reply(json: json, continues: continues)
  }

  /// `parameters` is one encoded JSON object, without NUL.
  public func reply(json parameters: [UInt8], continues: Bool = false) {
    let continues = continues && wantsMore
    let message = MessageWriter.reply(parameters: parameters, continues: continues)
    link?.answer(self, message, isLast: !continues)
  }

  /// Answers with an error and ends the call.
  public func fail(_ failure: CallFailure) {
    link?.answer(self, MessageWriter.error(failure), isLast: true)
  }

  /// The connection has ended: replies no longer arrive.
  public var isClosed: Bool { link?.isClosed ?? true }

  /// Bytes of replies that the client has not taken yet.
  public var unsentBytes: Int { link?.unsentBytes ?? 0 }

  /// Called once if the connection ends before the answer, or if the server stops and cuts off a stream or a
  /// call that awaits an event. Replaces the previous action.
  public func onClose(_ action: @escaping @Sendable () -> Void) {
    if isDone { return }
    closeAction = action
  }

  /// Declares that the answer may never come. A stopping server then closes this call instead of waiting; a
  /// full one gives its place to a new connection.
  public func awaitEvent() { awaitsEvent = true }

  /// Counts memory used to answer this call, besides its message and replies, towards
  /// `ServerLimits.heldBytes` until it is answered. Replaces the previous count.
  public func keep(bytes: Int) { link?.keep(bytes: bytes, for: self) }

  /// Called once when the connection has ended, however many calls it made.
  public func whenConnectionEnds(_ action: @escaping @Sendable () -> Void) {
    if let link { link.whenEnded(action) } else { action() }
  }

  /// Called once, asynchronously, when at most `bytes` are unsent; never after the end of the connection. For
  /// long listings: they make the next page when the client has taken the last.
  public func whenUnsent(atMost bytes: Int, _ action: @escaping @Sendable () -> Void) {
    link?.whenUnsent(atMost: bytes, action)
  }
}

public struct ConnectionID: Hashable, Sendable {
  let number: UInt64
}

extension DecodingError {
  /// The field at fault, with dots between names.
  var fieldPath: String {
    let (context, key): (Context, (any CodingKey)?) =
      switch self {
      case .keyNotFound(let key, let context): (context, key)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context, nil)
      @unknown default: (Context(codingPath: [], debugDescription: ""), nil)
      }
    let path = (context.codingPath + [key].compactMap(\.self)).map(\.stringValue)
    return path.isEmpty ? "parameters" : path.joined(separator: ".")
  }
}
