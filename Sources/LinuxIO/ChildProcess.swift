import CLinux
import Glibc

/// Starts programs; no shell is between.
package struct ChildProcess {
  /// The program's path first.
  package var words: [String]
  /// `NAME=value`.
  package var environment: [String]
  /// nil for this process's own.
  package var directory: String?
  /// Its standard input, output and error: descriptors of this process; nil for /dev/null.
  package var streams: (input: Int32?, output: Int32?, error: Int32?) = (nil, nil, nil)
  /// As a shell starts it: found by PATH, and with this process's ways with signals.
  package var startsAsInShell = false
  /// It leads a session and a process group of its own, and can be ended together with what it starts.
  package var isLeader = false

  package init(_ words: [String], environment: [String]) {
    self.words = words
    self.environment = environment
  }

  /// This process's environment; Swift cannot read `environ`.
  package static var ownEnvironment: [String] {
    let bytes = (try? SafeFile.read("/proc/self/environ", upTo: .max)) ?? []
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// - Returns: The process, which the caller has to reap; nil with errno set.
  package func start() -> pid_t? {
    guard let program = words.first else {
      errno = ENOENT
      return nil
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (stream, own) in [(0, streams.input), (1, streams.output), (2, streams.error)] as [(Int32, Int32?)] {
      if let own {
        posix_spawn_file_actions_adddup2(&actions, own, stream)
      } else {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
      }
    }
    // The lock of the state must not outlive eggd in another process.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = startsAsInShell ? 0 : Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, flags | (isLeader ? clinux_spawn_setsid() : 0))
    var process = pid_t()
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for copy in arguments + variables { free(copy) } }
    let spawn = startsAsInShell ? posix_spawnp : posix_spawn
    let failure = spawn(&process, program, &actions, &attributes, arguments, variables)
    guard failure == 0 else {
      errno = failure
      return nil
    }
    return process
  }

  /// Starts it with a pipe as its standard output.
  ///
  /// - Returns: The process, and the end to read from; nil with errno set.
  package func startWithOutput() -> (process: pid_t, output: Int32)? {
    guard let (reading, writing) = Self.pipe() else { return nil }
    var child = self
    child.streams.output = writing
    let process = child.start()
    let failure = errno
    close(writing)
    guard let process else {
      close(reading)
      errno = failure
      return nil
    }
    return (process, reading)
  }

  /// A pipe whose ends close on exec; nil with errno set.
  package static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reaps an ended process, or waits for its end.
  ///
  /// - Returns: Its status, wait(2).
  package static func reap(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Reaps it likewise.
  ///
  /// - Returns: Its exit status as a shell has it: 128 and the signal's number where a signal ended it.
  package static func exitStatus(of process: pid_t) -> Int32 {
    let status = reap(process)
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }
}
