import LinuxIO

/// One call, to be answered once, or several times with `more`. Used on the server's queue only.
///
/// Replies are sent in the order of the calls, whatever order they are made in. A call released without an
/// answer, or with one that cannot be encoded, fails with `org.varlink.service.MethodNotImplemented`.
public final class ServerCall: @unchecked Sendable {
  /// Without the interface's name.
  public let method: String
  private let call: PendingCall
  private let link: ServerConnection
  /// Set only by what ends the call, so that `deinit` may read it on any queue.
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

  /// The client accepts several replies.
  public var wantsMore: Bool { call.wantsMore }

  /// The client accepts no reply: `reply` and `fail` send nothing but still end the call.
  public var isOneway: Bool { call.message.oneway }

  /// The same for all calls of a connection; never reused.
  public var connection: ConnectionID { link.id }

  public var peer: PeerCredentials { link.peer }

  /// Throws InvalidParameter with the field that `P` refuses. The declared form has already been checked.
  public func parameters<P: Decodable>(as: P.Type = P.self) throws(CallFailure) -> P {
    do {
      let json = call.message.parameters.map { JSONScanner(checked: call.message.json, range: $0) }
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
      return fail(.methodNotImplemented(call.message.method))
    }
    reply(json: json, continues: continues)
  }

  /// `parameters` is one encoded JSON object, without NUL.
  public func reply(json parameters: [UInt8], continues: Bool = false) {
    let continues = continues && call.wantsMore
    let message = MessageWriter.reply(parameters: parameters, continues: continues)
    isAnswered = !continues
    link.answer(call, message, isLast: !continues)
  }

  /// Answers with an error and ends the call.
  public func fail(_ failure: CallFailure) {
    isAnswered = true
    link.answer(call, MessageWriter.error(failure), isLast: true)
  }

  /// The connection has ended: replies no longer arrive.
  public var isClosed: Bool { link.isClosed }

  /// Bytes of replies that the client has not taken yet.
  public var unsentBytes: Int { link.unsentBytes }

  /// Called once if the connection ends before the answer, or if the server stops and cuts off a stream or a
  /// call that awaits an event. Replaces the previous action.
  public func onClose(_ action: @escaping @Sendable () -> Void) {
    if call.isDone { return }
    call.closeAction = action
  }

  /// Declares that the answer may never come. A stopping server then closes this call instead of waiting; a
  /// full one gives its place to a new connection.
  public func awaitEvent() { call.awaitsEvent = true }

  /// Counts memory used to answer this call, besides its message and replies, towards
  /// `ServerLimits.heldBytes` until it is answered. Replaces the previous count.
  public func keep(bytes: Int) { link.keep(bytes: bytes, for: call) }

  /// Called once when the connection has ended, however many calls it made.
  public func whenConnectionEnds(_ action: @escaping @Sendable () -> Void) { link.whenEnded(action) }

  /// Called once, asynchronously, when at most `bytes` are unsent; never after the end of the connection. For
  /// long listings: they make the next page when the client has taken the last.
  public func whenUnsent(atMost bytes: Int, _ action: @escaping @Sendable () -> Void) {
    link.whenUnsent(atMost: bytes, action)
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

/// A connection's record of a call in progress. Used on the server's queue, which guards its state.
final class PendingCall: @unchecked Sendable {
  let message: CallMessage
  /// Replies made before an earlier call was answered.
  var held: [UInt8] = []
  var isDone = false
  /// A reply with `continues` was sent.
  var hasContinued = false
  /// Waits for an event that may never come.
  var awaitsEvent = false
  var keptBytes = 0
  var closeAction: (@Sendable () -> Void)?

  init(_ message: CallMessage) { self.message = message }

  /// Several replies may be sent.
  var wantsMore: Bool { message.more }
}
