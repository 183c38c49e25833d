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

/// Finds the interface for a call, or refuses the call.
struct Router {
  private let interfaces: [String: VarlinkInterface]
  private let mostValues: Int

  /// Throws if two share a name. `mostValues` limits the fields and elements of a call.
  init(_ interfaces: [VarlinkInterface], mostValues: Int) throws(InterfaceError) {
    self.mostValues = mostValues
    var table: [String: VarlinkInterface] = [:]
    for interface in interfaces where table.updateValue(interface, forKey: interface.name) != nil {
      throw InterfaceError(line: 0, reason: "interface '\(interface.name)' is offered twice")
    }
    self.interfaces = table
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
