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
    // Non-blocking, in case it is a FIFO.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .unreadable(path: path, code: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(path: path, code: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .unreadable(path: path, code: EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile else {
      throw .malformed(path: path)
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(file, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, code: errno) }
      // The file just shrank; the parser reports what is missing.
      guard count > 0 else { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }

  /// The hash, and the length.
  private static func digest(_ bytes: [UInt8]) -> String {
    String(FNV1a.hash64(bytes), radix: 16) + "-" + String(bytes.count)
  }
}
