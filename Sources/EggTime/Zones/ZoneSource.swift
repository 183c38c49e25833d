import Glibc

/// A machine's zones: its folder of zone files, the link to its own zone, and `TZ`.
public struct ZoneSource: Sendable {
  private let directory: ZoneDirectory
  private let link: String
  private let variable: String?

  /// This process's: `TZDIR` or /usr/share/zoneinfo, /etc/localtime, `TZ`.
  public static var machine: ZoneSource {
    ZoneSource(
      directory: ZoneDirectory.machine.path, link: "/etc/localtime",
      variable: getenv("TZ").map { String(cString: $0) })
  }

  /// `directory` has no trailing slash, `link` stands for /etc/localtime, `variable` for `TZ`.
  public init(directory: String, link: String, variable: String? = nil) {
    self.directory = ZoneDirectory(path: directory)
    self.link = link
    self.variable = variable
  }

  /// Reads the file at each call.
  public func zone(named identifier: String) throws(ZoneError) -> Zone {
    identifier == "UTC" ? .utc : try directory.zone(named: identifier)
  }

  /// The machine's own zone, read at each call. A missing link is an error, as it may be just being replaced;
  /// callers that know no other zone use UTC.
  public func local() throws(ZoneError) -> Zone {
    var status = stat()
    if variable == nil, lstat(link, &status) != 0 { throw .unreadable(path: link, code: errno) }
    return try Zone.machine(variable: variable, link: link, in: directory)
  }

  /// nil for a zone without a file.
  public func path(ofZone identifier: String) -> String? {
    guard identifier != "UTC", ZoneDirectory.isIdentifier(identifier) else { return nil }
    return directory.path + "/" + identifier
  }

  /// The link to the machine's own zone; nil when `TZ` sets it.
  public var localPath: String? { variable == nil ? link : nil }
}
