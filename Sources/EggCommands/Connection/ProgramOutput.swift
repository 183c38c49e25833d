import Glibc
import LinuxIO

/// Reads the whole output of a short program.
enum ProgramOutput {
  /// Runs a program from PATH with this environment. nil if it cannot be run or takes longer than `limit`.
  static func read(_ words: [String], environment: [String], within limit: Duration) -> String? {
    guard let (reading, writing) = ChildProcess.pipe() else { return nil }
    defer { close(reading) }
    var child = ChildProcess(words, environment: environment)
    child.startsAsInShell = true
    child.streams.output = writing
    let process = child.start()
    close(writing)
    guard let process else { return nil }
    let text = readAll(reading, until: .now + limit)
    if text == nil { kill(process, SIGKILL) }
    _ = ChildProcess.reap(process)
    return text
  }

  private static func readAll(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return nil }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { continue }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
