import Foundation
import Synchronization

/// What a run has started and made: ended and removed when it ends, by a signal too.
enum Leftovers {
  private static let directories = Mutex<[String]>([])
  private static let isEnding = Atomic(false)
  /// Of the pipe through which a handler says which signal came.
  private static let signals = Atomic<Int32>(-1)

  /// Goes at the end.
  static func include(_ directory: String) { directories.withLock { $0.append(directory) } }

  /// Ends all processes that this one has started, and removes the directories. Nothing is started any more.
  static func remove() {
    isEnding.store(true, ordering: .relaxed)
    // SIGTERM first: a box has a systemd to end, and a tracer to let go
    for attempt in 0..<100 {
      let children = children
      if children.isEmpty { break }
      for child in children {
        kill(child, attempt < 50 ? SIGTERM : SIGKILL)
        waitpid(child, nil, WNOHANG)
      }
      Clock.sleep(0.05)
    }
    for directory in directories.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: directory) }
  }

  /// From now on SIGINT, SIGTERM and SIGHUP leave nothing behind.
  static func watchSignals() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchFailure("no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signals.store(ends[1], ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      Leftovers.isEnding.store(true, ordering: .relaxed)
      var number = UInt8(truncatingIfNeeded: signal)
      write(Leftovers.signals.load(ordering: .relaxed), &number, 1)
    }
    action.sa_flags = SA_RESTART
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaction(signal, &action, nil) }
    let reader = ends[0]
    _ = Worker {
      var signal: UInt8 = 0
      while read(reader, &signal, 1) != 1 {}
      remove()
      FileHandle.standardError.write(Data("\neggd-bench: broken off; nothing is left behind\n".utf8))
      // without what the main thread is at
      _exit(128 + Int32(signal))
    }
  }

  /// Waits for the end where it has begun: what it breaks off is no result, and nothing is started any more.
  static func waitIfEnding() {
    while isEnding.load(ordering: .relaxed) { pause() }
  }

  private static var children: [pid_t] {
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    var found: [pid_t] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let process = pid_t(name), let text = try? Command.text(of: "/proc/\(process)/stat") else {
        continue
      }
      // proc(5): what follows the name in parentheses is the state, and the parent
      let rest = text.split(separator: ")").last?.split(separator: " ") ?? []
      if rest.count > 1, pid_t(rest[1]) == getpid() { found.append(process) }
    }
    return found
  }
}
