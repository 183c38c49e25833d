import FoundationEssentials

/// How a call can fail at the client.
public enum VarlinkClientError: Error, Sendable {
  /// connect(2) failed.
  case unreachable(errno: Int32, path: String)
  /// The server ended the connection before its answer.
  case disconnected
  /// What came is not what Varlink or the caller's types allow; says what was wrong.
  case protocolViolation(String)
  /// The caller's own mistake: a call out of turn, or parameters that are no JSON object; says which. Nothing was sent.
  case misuse(String)
  /// No answer within the time given.
  case timedOut
  /// The method's own error.
  case remote(RemoteError)
}

/// An error reply.
public struct RemoteError: Error, Sendable {
  /// Fully qualified.
  public let name: String
  let json: [UInt8]

  /// What the error carries; nil if it does not have that form.
  public func parameters<P: Decodable>(as: P.Type = P.self) -> P? {
    try? JSONDecoder().decode(P.self, from: Data(json))
  }
}
