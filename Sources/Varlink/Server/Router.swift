/// Finds what a call is for, and refuses it where that is not possible.
struct Router {
  private let interfaces: [String: VarlinkInterface]
  private let mostValues: Int

  /// Throws if two have one name. Calls may have `mostValues` fields and elements.
  init(_ interfaces: [VarlinkInterface], mostValues: Int) throws(InterfaceError) {
    self.mostValues = mostValues
    var table: [String: VarlinkInterface] = [:]
    for interface in interfaces where table.updateValue(interface, forKey: interface.name) != nil {
      throw InterfaceError(line: 0, reason: "interface '\(interface.name)' is offered twice")
    }
    self.interfaces = table
  }

  /// The interface that a call is for, once the interface, the method and the parameters are as declared.
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
    // No method here changes the protocol. After an error the connection stays a Varlink connection.
    if message.upgrade { throw .methodNotImplemented(message.method) }
    return interface
  }
}
