/// One connection to a server, with blocking calls. Confined to one thread at a time.
public final class VarlinkClient {
  /// The socket, closed with the client.
  public let descriptor: Int32

  /// Connects; throws `.unreachable` with ENAMETOOLONG where the path does not fit a socket address.
  public init(path: String) throws(VarlinkClientError) {
    throw .unreachable(errno: 2, path: path)
  }

  /// Takes over a connected stream socket.
  public init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// One call and its reply. After `.timedOut` the connection is closed: the reply could come any time.
  /// Optional parameters that are nil are left out.
  public func call<R: Decodable>(
    _ method: String, _ parameters: some Encodable = NoParameters(), as: R.Type = R.self,
    timeout: Duration? = nil
  ) throws(VarlinkClientError) -> R {
    throw .disconnected
  }

  /// A call with `more`: `each` is called for each reply until the last, or until it returns false or throws, which
  /// closes the connection (there is no other way to end a stream). `timeout` is for each single reply.
  public func callMore<R: Decodable>(
    _ method: String, _ parameters: some Encodable = NoParameters(), as: R.Type = R.self,
    timeout: Duration? = nil, each: (R) throws -> Bool
  ) throws {
    throw VarlinkClientError.disconnected
  }

  /// A call that is not answered.
  public func oneway(_ method: String, _ parameters: some Encodable = NoParameters())
    throws(VarlinkClientError)
  {}

  /// Sends a call whose reply is taken later by `receive`, in the order of sending. At most 64 should wait.
  public func send(_ method: String, _ parameters: some Encodable = NoParameters())
    throws(VarlinkClientError)
  {}

  /// The reply to the earliest `send` that has none yet. `.remote` leaves the others to be taken.
  public func receive<R: Decodable>(as: R.Type = R.self, timeout: Duration? = nil)
    throws(VarlinkClientError) -> R
  {
    throw .disconnected
  }

  /// Ends the connection; later calls throw `.disconnected`.
  public func close() {}
}
