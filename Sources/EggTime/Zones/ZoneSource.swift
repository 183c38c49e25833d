import Glibc
import LinuxIO

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
    return try localOrUTC()
  }

  /// `TZ` as in tzset(3), else the zone of the link; UTC without one, as glibc has it.
  func localOrUTC() throws(ZoneError) -> Zone {
    guard let variable else { return try linked() }
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if text.isEmpty || text == "UTC" { return .utc }
    if text == link { return try linked() }
    if text.hasPrefix("/") {
      if let name = directory.identifier(ofFile: text) { return try directory.zone(named: name) }
      return try ZoneDirectory.zone("localtime", file: text)
    }
    do throws(ZoneError) {
      return try directory.zone(named: text)
    } catch {
      guard let rule = PosixRule(text.utf8) else { throw error }
      return Zone(
        identifier: text, digest: text, path: nil,
        timeline: ZoneTimeline(initial: rule.standard, rule: rule))
    }
  }

  private func linked() throws(ZoneError) -> Zone {
    if let name = directory.identifier(ofLink: link) { return try zone(named: name) }
    do throws(ZoneError) {
      return try ZoneDirectory.zone("localtime", file: link)
    } catch {
      if case .unreadable(_, ENOENT) = error { return .utc }
      throw error
    }
  }

  /// nil for a zone without a file.
  public func path(ofZone identifier: String) -> String? {
    guard identifier != "UTC", ZoneDirectory.isIdentifier(identifier) else { return nil }
    return directory.path + "/" + identifier
  }

  /// The link to the machine's own zone; nil when `TZ` sets it.
  public var localPath: String? { variable == nil ? link : nil }
}

extension Zone {
  /// From the machine's zoneinfo. Reads the file at each call.
  public static func named(_ identifier: String) throws(ZoneError) -> Zone {
    try ZoneSource.machine.zone(named: identifier)
  }

  /// The machine's own zone, read at each call; UTC without one.
  public static func machine() throws(ZoneError) -> Zone { try ZoneSource.machine.localOrUTC() }

  /// The names of the zones that the machine knows, sorted. Reads the directory at each call.
  public static func machineNames() -> [String] { ZoneDirectory.machine.names.sorted() }

  /// A constant offset from UTC, in seconds: `+05:30`.
  static func fixed(offset: Int) -> Zone {
    let clock = TimeOfDay(hour: abs(offset) / 3_600, minute: abs(offset) / 60 % 60)
    let name = (offset < 0 ? "-" : "+") + clock.text
    return Zone(
      identifier: name, digest: name, path: nil, timeline: .fixed(offset: offset, abbreviation: name))
  }
}

extension ZoneDirectory {
  /// The zone that a symbolic link points to; nil when it is no link or points elsewhere.
  fileprivate func identifier(ofLink link: String) -> String? {
    let size = Int(PATH_MAX)
    var target = [CChar](repeating: 0, count: size)
    let count = readlink(link, &target, size)
    guard count > 0, count < size else { return nil }
    let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let name = identifier(ofFile: text) { return name }
    // A chain of links, or a relative one.
    return FileSystem.realPath(link).flatMap(identifier(ofFile:))
  }

  /// The zone in a file below this folder or /usr/share/zoneinfo; nil for a file elsewhere.
  fileprivate func identifier(ofFile file: String) -> String? {
    for prefix in [path + "/", "/usr/share/zoneinfo/", "../usr/share/zoneinfo/"] where file.hasPrefix(prefix)
    {
      let name = String(file.dropFirst(prefix.count))
      if Self.isIdentifier(name) { return name }
    }
    return nil
  }
}
