/// A method call's error reply: a name and what it carries.
public struct CallFailure: Error, Sendable {
  /// Fully qualified, as `io.example.Interface.NoSuchThing`.
  public let name: String
  /// Encodes to a JSON object.
  public let parameters: any Encodable & Sendable

  /// An error of an interface; `parameters` must encode to a JSON object.
  public init(name: String, parameters: some Encodable & Sendable = NoParameters()) {
    self.name = name
    self.parameters = parameters
  }
}

/// The empty object, for a method without parameters or a reply without any.
public struct NoParameters: Codable, Sendable, Equatable {
  /// The empty object.
  public init() {}
}

extension CallFailure {
  /// org.varlink.service.InterfaceNotFound
  public static func interfaceNotFound(_ interface: String) -> CallFailure {
    CallFailure(name: "org.varlink.service.InterfaceNotFound", parameters: ["interface": interface])
  }

  /// org.varlink.service.MethodNotFound; `method` is the full name, as varlinkctl wants it.
  public static func methodNotFound(_ method: String) -> CallFailure {
    CallFailure(name: "org.varlink.service.MethodNotFound", parameters: ["method": method])
  }

  /// org.varlink.service.MethodNotImplemented; `method` is the full name.
  public static func methodNotImplemented(_ method: String) -> CallFailure {
    CallFailure(name: "org.varlink.service.MethodNotImplemented", parameters: ["method": method])
  }

  /// org.varlink.service.InvalidParameter; a field's name, with dots for one inside another.
  public static func invalidParameter(_ parameter: String) -> CallFailure {
    CallFailure(name: "org.varlink.service.InvalidParameter", parameters: ["parameter": parameter])
  }

  /// org.varlink.service.PermissionDenied
  public static let permissionDenied = CallFailure(name: "org.varlink.service.PermissionDenied")

  /// org.varlink.service.ExpectedMore: the method answers only calls made with `more`.
  public static let expectedMore = CallFailure(name: "org.varlink.service.ExpectedMore")
}
