import Glibc
import LinuxIO

/// A folder of zone files as tzfile(5) lays it out.
struct ZoneDirectory: Sendable {
  /// Without a trailing slash.
  var path: String

  /// `TZDIR`, else /usr/share/zoneinfo.
  static var machine: ZoneDirectory {
    if let path = getenv("TZDIR").map({ String(cString: $0) }), path.hasPrefix("/") {
      return ZoneDirectory(path: path)
    }
    return ZoneDirectory(path: "/usr/share/zoneinfo")
  }

  /// More than ten times the largest zone file.
  private static let largestFile = 1 << 20

  func zone(named identifier: String) throws(ZoneError) -> Zone {
    guard Self.isIdentifier(identifier) else { throw .invalidIdentifier(identifier) }
    do throws(ZoneError) {
      return try Self.zone(identifier, file: path + "/" + identifier)
    } catch {
      if case .unreadable(_, let code) = error, [ENOENT, ENOTDIR, EISDIR].contains(code) {
        throw .unknown(identifier)
      }
      throw error
    }
  }

  /// Whether the text can be a zone's name: at most 255 bytes of letters, digits and `+-_.`, in parts between
  /// single slashes that begin with a letter or a digit.
  static func isIdentifier(_ text: String) -> Bool {
    guard (1...255).contains(text.utf8.count) else { return false }
    return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      part in
      guard let first = part.first, ASCII.isLetter(first) || ASCII.isDigit(first) else { return false }
      return part.allSatisfy { byte in
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "+-_.".utf8.contains(byte)
      }
    }
  }

  /// Names begin with a capital letter; the other files and folders are tables and copies (`posix`, `right`).
  /// SystemV is a folder of obsolete rules.
  var names: [String] { names(below: "") ?? [] }

  private func names(below folder: String) -> [String]? {
    FileSystem.names(in: path + "/" + folder)?.flatMap { name -> [String] in
      guard let first = name.first, first.isASCII, first.isUppercase, Self.isIdentifier(name),
        name != "SystemV"
      else { return [] }
      var status = stat()
      let isLink = lstat(path + "/" + folder + name, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
      return (isLink ? nil : names(below: folder + name + "/")) ?? [folder + name]
    }
  }

  static func zone(_ identifier: String, file path: String) throws(ZoneError) -> Zone {
    let bytes = try contents(of: path)
    do throws(ZoneFile.Malformed) {
      return Zone(
        identifier: identifier, digest: digest(bytes), path: path, timeline: try ZoneFile.timeline(bytes))
    } catch {
      throw .malformed(path: path)
    }
  }

  /// The rows of a table such as zone1970.tab, cut at tabs; none when it cannot be read.
  func rows(of table: String) -> [[ArraySlice<UInt8>]] {
    guard let bytes = try? Self.contents(of: path + "/" + table) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
      .map { $0.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false) }
  }

  private static func contents(of path: String) throws(ZoneError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SafeFile.Failure) {
      bytes = try SafeFile.read(path, upTo: largestFile + 1)
    } catch {
      if case .failed(let code) = error { throw .unreadable(path: path, code: code) }
      let isFolder = FileSystem.status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
      throw isFolder ? .unreadable(path: path, code: EISDIR) : .malformed(path: path)
    }
    guard bytes.count <= largestFile else { throw .malformed(path: path) }
    return bytes
  }

  /// The hash, and the length.
  private static func digest(_ bytes: [UInt8]) -> String {
    String(FNV1a.hash64(bytes), radix: 16) + "-" + String(bytes.count)
  }
}
