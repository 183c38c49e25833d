/// One interface that a server offers.
public struct VarlinkInterface {
  /// Reverse-domain name.
  public let name: String
  /// The text that GetInterfaceDescription returns.
  public let text: String
  /// What the text declares.
  public let description: InterfaceDescription
  /// Called on the server's queue for each call of a method that the text declares, when its parameters
  /// have the declared form. Answers by `reply` or `fail`, now or later.
  public let handle: (ServerCall) -> Void

  /// Throws when the text cannot be read or declares another name.
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
