import Gettext
import Glibc

/// Reads a file piece by piece.
struct ImportedText {
  private let descriptor: Int32
  private let name: String

  /// Opens a file; `-` is standard input.
  init(file: String) throws {
    name = file == "-" ? tr("standard input") : file
    descriptor = file == "-" ? 0 : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.usage, tr("cannot read \(name.visible): \(Gettext.reason(errno))"))
    }
  }

  /// The next piece; empty at the end.
  func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count >= 0 { return Array(bytes[..<count]) }
      guard errno == EINTR else {
        throw Failure(.usage, tr("cannot read \(name.visible): \(Gettext.reason(errno))"))
      }
    }
  }
}
