import Glibc

/// Reads the whole output of a short program.
package enum ProgramOutput {
  /// Runs a program from PATH with this environment. nil if it cannot be run or takes longer than `limit`.
  package static func read(_ words: [String], environment: [String], within limit: Duration) -> String? {
    var child = ChildProcess(words, environment: environment)
    child.startsAsInShell = true
    guard let (process, reading) = child.startWithOutput() else { return nil }
    defer { close(reading) }
    let text = readAll(reading, until: .now + limit)
    if text == nil { kill(process, SIGKILL) }
    _ = ChildProcess.reap(process)
    return text
  }

  private static func readAll(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      guard .now < deadline else { return nil }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, deadline.pollTime) > 0 else { continue }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
