import Glibc

/// What a program says on its standard error. In a pipe: a file would be one more that the disk, which is measured, has to
/// write. What does not go into it is lost; the program does not wait.
final class Complaints {
  private let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchFailure("no pipe: errno \(errno)") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Its last words, as they follow on a sentence; empty where it said nothing. Taken out.
  func take() -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reading, &bytes, bytes.count)
    let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    let lines = text.split(separator: "\n").suffix(3).joined(separator: " / ")
    return lines.isEmpty ? "" : ": " + (lines.count > 300 ? "…" : "") + lines.suffix(300)
  }
}
