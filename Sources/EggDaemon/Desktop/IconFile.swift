import LinuxIO

/// The icon as a file, for servers that do not find it by name: some know no icon theme, and a prefix such as /opt is
/// in nobody's XDG_DATA_DIRS.
enum IconFile {
  private static let path = "icons/hicolor/scalable/apps/eggd.svg"

  /// The file of an icon, as the hint `image-path` takes it (Desktop Notifications Specification 1.2, Icons and
  /// Images): `file:///usr/share/…`. nil for another name of the icon theme.
  static func uri(_ icon: String, installed: String?) -> String? {
    let file = icon.utf8.first == UInt8(ascii: "/") ? icon : icon == "eggd" ? installed : nil
    return file.map { "file://" + $0.percentEncoded(keeping: "/-._~") }
  }

  /// The icon that belongs to this program, otherwise the first in the XDG Base Directories.
  static func installed(_ environment: [String: String], program: String? = FileSystem.program) -> String? {
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
      if let file = FileSystem.realPath("\(place)/\(path)") { return file }
    }
    return nil
  }
}

extension String {
  /// With all bytes as %XX but ASCII letters, digits and `others`: RFC 3986, section 2.1.
  func percentEncoded(keeping others: String) -> String {
    var text = ""
    for byte in utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || others.unicodeScalars.contains(scalar)
      {
        text.unicodeScalars.append(scalar)
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
