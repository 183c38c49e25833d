import Gettext
import Glibc
import LinuxIO

/// Reads the lines that a program prints as they arrive.
enum ProgramLines {
  /// In bytes. Of a longer line the beginning is left out.
  private static let longestLine = 1 << 20

  /// Runs a program from PATH; its standard error is passed on.
  ///
  /// - Parameters:
  /// - reader: The descriptor of the output's reader; when it goes, the program is ended.
  /// - pause: Called when no further line has arrived yet.
  /// - Returns: The exit status.
  static func read(
    _ words: [String], reader: Int32?, each: ([UInt8]) throws -> Void, pause: () throws -> Void
  ) throws -> Int32 {
    guard let (reading, writing) = ChildProcess.pipe() else {
      throw Failure(.unavailable, tr("cannot create a pipe: \(Gettext.reason(errno))"))
    }
    defer { close(reading) }
    var child = ChildProcess(words, environment: environment())
    child.startsAsInShell = true
    child.streams = (nil, writing, STDERR_FILENO)
    let process = child.start()
    let failure = errno
    close(writing)
    guard let process else {
      let reason = failure == ENOENT ? tr("it is not installed") : Gettext.reason(failure)
      throw Failure(.unavailable, tr("cannot run \(words.first ?? ""): \(reason)"))
    }
    do {
      if try !readLines(reading, reader, each, pause) { kill(process, SIGTERM) }
    } catch {
      kill(process, SIGTERM)
      _ = wait(for: process)
      throw error
    }
    return wait(for: process)
  }

  /// - Returns: false if the reader is gone.
  private static func readLines(
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
      if rest.count > longestLine { rest.removeAll() }
    }
  }

  private static func wait(for process: pid_t) -> Int32 {
    let status = ChildProcess.reap(process)
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  /// This process's environment; Swift cannot read `environ`.
  static func environment() -> [String] {
    let file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
