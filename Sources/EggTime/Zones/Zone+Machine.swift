import Glibc
import LinuxIO

extension Zone {
  /// From the machine's zoneinfo (`TZDIR`, else /usr/share/zoneinfo). Reads the file at each call.
  public static func named(_ identifier: String) throws(ZoneError) -> Zone {
    try ZoneSource.machine.zone(named: identifier)
  }

  /// `TZ` as in tzset(3), else the zone of /etc/localtime, else UTC.
  public static func machine() throws(ZoneError) -> Zone {
    try machine(
      variable: getenv("TZ").map { String(cString: $0) }, link: "/etc/localtime", in: .machine)
  }

  static func machine(
    variable: String?, link: String, in directory: ZoneDirectory
  ) throws(ZoneError) -> Zone {
    guard let variable else { return try localtime(link, in: directory) }
    let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if text.isEmpty || text == "UTC" { return utc }
    if text == link { return try localtime(link, in: directory) }
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

  /// A constant offset from UTC, in seconds: `+05:30`.
  static func fixed(offset: Int) -> Zone {
    let clock = TimeOfDay(hour: abs(offset) / 3_600, minute: abs(offset) / 60 % 60)
    let name = (offset < 0 ? "-" : "+") + clock.text
    return Zone(
      identifier: name, digest: name, path: nil, timeline: .fixed(offset: offset, abbreviation: name))
  }

  private static func localtime(_ link: String, in directory: ZoneDirectory) throws(ZoneError) -> Zone {
    if let name = directory.identifier(ofLink: link) {
      return name == "UTC" ? utc : try directory.zone(named: name)
    }
    do throws(ZoneError) {
      return try ZoneDirectory.zone("localtime", file: link)
    } catch {
      // glibc falls back to UTC without /etc/localtime.
      if case .unreadable(_, ENOENT) = error { return utc }
      throw error
    }
  }
}

extension ZoneDirectory {
  /// The zone that a symbolic link points to; nil when it is no link or points elsewhere.
  func identifier(ofLink link: String) -> String? {
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
  func identifier(ofFile file: String) -> String? {
    for prefix in [path + "/", "/usr/share/zoneinfo/", "../usr/share/zoneinfo/"] where file.hasPrefix(prefix)
    {
      let name = String(file.dropFirst(prefix.count))
      if Self.isIdentifier(name) { return name }
    }
    return nil
  }
}
