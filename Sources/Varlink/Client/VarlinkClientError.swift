/// Why a call failed at the client.
public enum VarlinkClientError: Error, Sendable {
  /// connect(2) failed.
  case unreachable(errno: Int32, path: String)
  /// The server closed the connection before answering.
  case disconnected
  /// The reply does not fit Varlink or the caller's types; says why.
  case protocolViolation(String)
  /// The caller's mistake: a call out of turn, or parameters that are no JSON object; says which. Nothing was
  /// sent.
  case misuse(String)
  case timedOut
  /// The method's own error.
  case remote(RemoteError)
}

/// An error reply.
public struct RemoteError: Error, Sendable {
  /// Fully qualified.
  public let name: String
  let json: [UInt8]

  /// nil if the parameters do not decode to that type.
  public func parameters<P: Decodable>(as: P.Type = P.self) -> P? {
    try? JSON.value(json)
  }
}
