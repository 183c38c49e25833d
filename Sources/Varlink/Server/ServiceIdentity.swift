/// What `org.varlink.service.GetInfo` says of a service.
public struct ServiceIdentity: Sendable {
  /// Who made it.
  public let vendor: String
  /// Its name.
  public let product: String
  /// Its version.
  public let version: String
  /// Where to read about it.
  public let url: String

  /// All four are sent as they are.
  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}
