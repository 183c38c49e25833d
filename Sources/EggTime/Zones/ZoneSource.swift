import Glibc

/// Where one machine's zones come from: its folder of zone files, the link that names its own zone, and `TZ`.
public struct ZoneSource: Sendable {
  private let directory: ZoneDirectory
  private let link: String
  private let variable: String?

  /// What this process has: `TZDIR` or /usr/share/zoneinfo, /etc/localtime, `TZ`.
  public static var machine: ZoneSource {
    ZoneSource(
      directory: ZoneDirectory.machine.path, link: "/etc/localtime",
      variable: getenv("TZ").map { String(cString: $0) })
  }

  /// A folder without a slash at its end, a path that stands for /etc/localtime, and a text that stands for `TZ`.
  public init(directory: String, link: String, variable: String? = nil) {
    self.directory = ZoneDirectory(path: directory)
    self.link = link
    self.variable = variable
  }

  /// The zone of that name. Reads its file anew each time.
  public func zone(named identifier: String) throws(ZoneError) -> Zone {
    identifier == "UTC" ? .utc : try directory.zone(named: identifier)
  }

  /// The machine's own zone, read anew. A link that is missing is an error here, as it may be one that is just being
  /// replaced; whoever knows of no other zone takes UTC.
  public func local() throws(ZoneError) -> Zone {
    var status = stat()
    if variable == nil, lstat(link, &status) != 0 { throw .unreadable(path: link, code: errno) }
    return try Zone.machine(variable: variable, link: link, in: directory)
  }

  /// The file of the zone of that name; nil for one that has none.
  public func path(ofZone identifier: String) -> String? {
    guard identifier != "UTC", ZoneDirectory.isIdentifier(identifier) else { return nil }
    return directory.path + "/" + identifier
  }

  /// The path that stands for the machine's own zone; nil where `TZ` does.
  public var localPath: String? { variable == nil ? link : nil }
}
