/// The answer to `org.varlink.service.GetInfo`.
public struct ServiceIdentity: Sendable {
  public let vendor: String
  public let product: String
  public let version: String
  public let url: String

  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}
