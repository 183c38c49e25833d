import Glibc
import LinuxIO

/// Reads the lines that a program prints as they arrive.
enum ProgramLines {
  /// In bytes. A longer line is cut, to one byte more at least.
  static let longestLine = 1 << 20

  /// Runs a program from PATH; its standard error is passed on.
  ///
  /// - Parameters:
  /// - reader: The descriptor of the output's reader; when it goes, the program is ended.
  /// - pause: Called when no further line has arrived yet.
  /// - Returns: The exit status.
  static func read(
    _ words: [String], reader: Int32?, each: ([UInt8]) throws -> Void, pause: () throws -> Void
  ) throws -> Int32 {
    var child = ChildProcess(words, environment: ChildProcess.ownEnvironment)
    child.startsAsInShell = true
    child.streams.error = STDERR_FILENO
    guard let (process, reading) = child.startWithOutput() else {
      throw Failure.cannotRun(words.first ?? "", errno)
    }
    defer { close(reading) }
    do {
      if try !readLines(reading, reader, each, pause) { kill(process, SIGTERM) }
    } catch {
      kill(process, SIGTERM)
      _ = ChildProcess.reap(process)
      throw error
    }
    return ChildProcess.exitStatus(of: process)
  }

  /// The same of a descriptor.
  ///
  /// - Returns: false if the reader is gone.
  static func readLines(
    _ descriptor: Int32, _ reader: Int32?, _ each: ([UInt8]) throws -> Void, _ pause: () throws -> Void
  ) throws -> Bool {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // No events are asked for: poll(2) always reports POLLERR.
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reader ?? -1, events: 0, revents: 0),
      ]
      if poll(&waits, 2, 0) == 0 {
        try pause()
        guard poll(&waits, 2, -1) > 0 else { continue }
      }
      if waits[1].revents & Int16(POLLERR) != 0 { return false }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        if !rest.isEmpty { try each(rest) }
        return true
      }
      rest += buffer[..<count]
      var start = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try each(Array(rest[start..<end]))
        start = end + 1
      }
      rest.removeFirst(start)
      if rest.count > longestLine { rest.removeSubrange((longestLine + 1)...) }
    }
  }
}
