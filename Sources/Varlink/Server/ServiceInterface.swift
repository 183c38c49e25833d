/// The answer to `org.varlink.service.GetInfo`.
public struct ServiceIdentity: Encodable, Sendable {
  public let vendor: String
  public let product: String
  public let version: String
  public let url: String
  /// Set by the server.
  fileprivate var interfaces: [String] = []

  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}

extension ServiceIdentity {
  static let interfaceName = "org.varlink.service"

  /// UAPI.20, The `org.varlink.service` Interface. Without ExpectedUpgrade: nothing here upgrades.
  static let interfaceText = """
    # The Varlink Service Interface is provided by every Varlink service. It
    # describes the service and the interfaces it implements.
    interface org.varlink.service

    # Get a list of all the interfaces a service provides and information
    # about the implementation.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Get the description of an interface that is implemented by this service.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The requested interface was not found.
    error InterfaceNotFound (interface: string)

    # The requested method was not found
    error MethodNotFound (method: string)

    # The interface defines the requested method, but the service does not
    # implement it.
    error MethodNotImplemented (method: string)

    # One of the passed parameters is invalid.
    error InvalidParameter (parameter: string)

    # Client is denied access
    error PermissionDenied ()

    # Method is expected to be called with 'more' set to true, but wasn't
    error ExpectedMore ()

    """

  private struct DescriptionParameters: Decodable {
    let interface: String
  }

  /// The interface that every service has besides `others`.
  func interface(beside others: [VarlinkInterface]) throws(InterfaceError) -> VarlinkInterface {
    var texts = [Self.interfaceName: Self.interfaceText]
    for other in others { texts[other.name] = other.text }
    var answer = self
    answer.interfaces = [Self.interfaceName] + others.map(\.name)
    return try VarlinkInterface(text: Self.interfaceText) { [texts, answer] call in
      do throws(CallFailure) {
        switch call.method {
        case "GetInfo": call.reply(answer)
        default:
          let parameters = try call.parameters(as: DescriptionParameters.self)
          guard let text = texts[parameters.interface] else {
            throw .interfaceNotFound(parameters.interface)
          }
          call.reply(["description": text])
        }
      } catch {
        call.fail(error)
      }
    }
  }
}
