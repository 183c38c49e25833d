public enum ZoneError: Error, Hashable, Sendable {
  /// Not a possible name: empty, too long, `..`, an absolute path, or other characters.
  case invalidIdentifier(String)
  /// Not in the machine's zoneinfo.
  case unknown(String)
  /// The file exists but cannot be read; `code` is an errno.
  case unreadable(path: String, code: Int32)
  /// The file or `TZ` does not follow RFC 9636 or POSIX.
  case malformed(path: String)
}
