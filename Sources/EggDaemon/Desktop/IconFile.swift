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
    places += BaseDirectories(variable: { environment[$0] }).allData
    for place in places {
      if let file = FileSystem.realPath("\(place)/\(path)") { return file }
    }
    return nil
  }
}
