import Glibc

/// The least that anything durable takes.
final class DurableWrite: Sendable {
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BenchFailure("cannot write \(path): errno \(errno)") }
  }

  deinit { close(descriptor) }

  /// In ns.
  func time() -> Int64 {
    let line = [UInt8](repeating: 0x20, count: 128)
    let begin = Clock.steady()
    write(descriptor, line, line.count)
    fdatasync(descriptor)
    return Clock.steady() - begin
  }
}
