/// One interface offered by a server.
public struct VarlinkInterface {
  /// Reverse-domain.
  public var name: String { description.name }
  /// Returned by GetInterfaceDescription.
  public let text: String
  public let description: InterfaceDescription
  /// Called on the server's queue for each call of a declared method whose parameters have the declared form.
  /// Answers by `reply` or `fail`, now or later.
  public let handle: (ServerCall) -> Void

  /// Throws when the text cannot be parsed.
  public init(text: String, handle: @escaping (ServerCall) -> Void) throws(InterfaceError) {
    description = try InterfaceDescription(parsing: text)
    self.text = text
    self.handle = handle
  }
}

/// Finds the interface for a call, or refuses the call.
struct Router {
  private let interfaces: [String: VarlinkInterface]
  private let mostValues: Int

  /// `mostValues` limits the fields and elements of a call.
  init(_ interfaces: [VarlinkInterface], mostValues: Int) {
    self.mostValues = mostValues
    self.interfaces = Dictionary(uniqueKeysWithValues: interfaces.map { ($0.name, $0) })
  }

  /// Checks the interface, the method and the parameters against the declaration.
  func route(_ message: CallMessage) throws(CallFailure) -> VarlinkInterface {
    let names = message.names
    guard let interface = interfaces[names.interface] else { throw .interfaceNotFound(names.interface) }
    guard let method = interface.description.methods[names.method] else {
      throw .methodNotFound(message.method)
    }
    do {
      let check = ParameterCheck(interface: interface.description, mostValues: mostValues)
      try check.check(message.json, message.parameters, against: method.input)
    } catch {
      throw .invalidParameter(error.field)
    }
    // No method here upgrades the connection. After the error it stays a Varlink connection.
    if message.upgrade { throw .methodNotImplemented(message.method) }
    return interface
  }
}
