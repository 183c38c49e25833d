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

/// Who is at the other end of a socket, as the kernel noted at connect(2) (SO_PEERCRED, socket(7)).
public struct PeerCredentials: Sendable, Equatable {
  /// Process; 0 if it is not of our pid namespace.
  public let pid: Int32
  /// User; 65534 if it is not of our user namespace.
  public let uid: UInt32
  /// Group.
  public let gid: UInt32

  /// As given; `PeerCredentials.of(_:)` asks the kernel.
  public init(pid: Int32, uid: UInt32, gid: UInt32) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }
}
