import Glibc

extension Zone {
  /// The names of the zones that the machine knows, sorted. Reads the directory at each call.
  public static func machineNames() -> [String] { ZoneDirectory.machine.names.sorted() }
}

extension ZoneDirectory {
  /// Names begin with a capital letter; the other files and folders are tables and copies (`posix`, `right`).
  var names: [String] { names(below: "") }

  private func names(below folder: String) -> [String] {
    guard let directory = opendir(path + "/" + folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let first = name.first, first.isASCII, first.isUppercase, Self.isIdentifier(name) else {
        continue
      }
      // SystemV is a folder of obsolete rules.
      if Int32(entry.pointee.d_type) != Int32(DT_DIR) {
        names.append(folder + name)
      } else if name != "SystemV" {
        names += self.names(below: folder + name + "/")
      }
    }
    return names
  }
}
