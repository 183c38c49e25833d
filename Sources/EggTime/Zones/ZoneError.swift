/// Why a zone cannot be had.
public enum ZoneError: Error, Hashable, Sendable {
  /// Not the form of an identifier: empty, too long, `..`, an absolute path, or letters that none has.
  case invalidIdentifier(String)
  /// The machine's zoneinfo has no such zone.
  case unknown(String)
  /// The file is there but cannot be read; `code` is an errno.
  case unreadable(path: String, code: Int32)
  /// The file, or the text of `TZ`, is not zone data as RFC 9636 or POSIX has it.
  case malformed(path: String)
}
