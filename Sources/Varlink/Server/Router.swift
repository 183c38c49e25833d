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
