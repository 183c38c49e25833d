/// One interface offered by a server.
public struct VarlinkInterface {
  /// Reverse-domain name.
  public let name: String
  /// Returned by GetInterfaceDescription.
  public let text: String
  /// The parsed text.
  public let description: InterfaceDescription
  /// Called on the server's queue for each call of a declared method whose parameters have the declared form.
  /// Answers by `reply` or `fail`, now or later.
  public let handle: (ServerCall) -> Void

  /// Throws when the text cannot be parsed or declares another name.
  public init(name: String, text: String, handle: @escaping (ServerCall) -> Void) throws(InterfaceError) {
    description = try InterfaceDescription(parsing: text)
    guard description.name == name else {
      throw InterfaceError(line: 0, reason: "the text declares '\(description.name)', not '\(name)'")
    }
    self.name = name
    self.text = text
    self.handle = handle
  }
}

public struct InterfaceError: Error, Equatable, Sendable {
  /// From 1; 0 for the text as a whole.
  public let line: Int
  /// English, lower case, no full stop.
  public let reason: String
}
