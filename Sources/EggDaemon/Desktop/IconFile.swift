import Glibc

/// The icon as a file, for servers that do not find it by name: some know no icon theme, and a prefix such as /opt is
/// in nobody's XDG_DATA_DIRS.
enum IconFile {
  private static let path = "icons/hicolor/scalable/apps/eggd.svg"

  /// The file of an icon, as the hint `image-path` takes it (Desktop Notifications Specification 1.2, Icons and
  /// Images): `file:///usr/share/…`. nil for another name of the icon theme.
  static func uri(_ icon: String, installed: String?) -> String? {
    let file = icon.utf8.first == UInt8(ascii: "/") ? icon : icon == "eggd" ? installed : nil
    return file.map { "file://" + escaped($0) }
  }

  /// The icon that belongs to this program, otherwise the first in the XDG Base Directories.
  static func installed(_ environment: [String: String], program: String? = program) -> String? {
    var places: [String] = []
    if let program, let slash = program.lastIndex(of: "/") { places.append(program[..<slash] + "/../share") }
    if let home = environment["XDG_DATA_HOME"], !home.isEmpty {
      places.append(home)
    } else if let home = environment["HOME"] {
      places.append(home + "/.local/share")
    }
    let dirs = environment["XDG_DATA_DIRS"] ?? ""
    places += (dirs.isEmpty ? "/usr/local/share:/usr/share" : dirs).split(separator: ":").map(String.init)
    for place in places where place.hasPrefix("/") {
      guard let file = realpath("\(place)/\(path)", nil) else { continue }
      defer { free(file) }
      return String(cString: file)
    }
    return nil
  }

  /// This program's file, proc_pid_exe(5).
  static var program: String? {
    guard let file = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(file) }
    return String(cString: file)
  }

  /// RFC 3986, section 2.1.
  private static func escaped(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
