/// The error reply to a call.
public struct CallFailure: Error, Sendable {
  /// Fully qualified: `io.example.Interface.NoSuchThing`.
  public let name: String
  /// Encodes to a JSON object.
  public let parameters: any Encodable & Sendable

  public init(name: String, parameters: some Encodable & Sendable = NoParameters()) {
    self.name = name
    self.parameters = parameters
  }
}

/// The empty object: no parameters.
public struct NoParameters: Codable, Sendable, Equatable {
  public init() {}
}

extension CallFailure {
  public static func interfaceNotFound(_ interface: String) -> CallFailure {
    CallFailure(name: "org.varlink.service.InterfaceNotFound", parameters: ["interface": interface])
  }

  /// `method` is the full name, as varlinkctl expects.
  public static func methodNotFound(_ method: String) -> CallFailure {
    CallFailure(name: "org.varlink.service.MethodNotFound", parameters: ["method": method])
  }

  /// `method` is the full name.
  public static func methodNotImplemented(_ method: String) -> CallFailure {
    CallFailure(name: "org.varlink.service.MethodNotImplemented", parameters: ["method": method])
  }

  /// `parameter` is a field, with dots for nested ones.
  public static func invalidParameter(_ parameter: String) -> CallFailure {
    CallFailure(name: "org.varlink.service.InvalidParameter", parameters: ["parameter": parameter])
  }

  /// The method only answers calls made with `more`.
  public static let expectedMore = CallFailure(name: "org.varlink.service.ExpectedMore")
}
