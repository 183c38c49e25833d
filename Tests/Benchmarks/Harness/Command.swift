import Glibc

/// Another program.
enum Command {
  /// Starts it, with nothing to read. What it says goes to `output`, a path.
  static func start(
    _ words: [String], environment: [String: String] = [:], output: String = "/dev/null",
    complaints: Complaints? = nil
  ) throws -> pid_t {
    Leftovers.waitIfEnding()
    guard let program = words.first.flatMap(path) else {
      throw BenchFailure("\(words.first ?? "a program") is not installed")
    }
    var all = environment
    for name in ["PATH", "HOME", "LANG", "XDG_RUNTIME_DIR"] where all[name] == nil {
      all[name] = getenv(name).map { String(cString: $0) }
    }
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if let complaints {
      posix_spawn_file_actions_adddup2(&actions, complaints.writing, 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    var child: pid_t = 0
    let result = posix_spawn(&child, program, &actions, nil, &argv, &envp)
    guard result == 0 else { throw BenchFailure("cannot start \(program): errno \(result)") }
    return child
  }

  /// From start to exit, in ns. An exit status other than 0 is thrown, with the last it said.
  @discardableResult
  static func time(
    _ words: [String], environment: [String: String] = [:], output: String = "/dev/null"
  ) throws -> Int64 {
    let complaints = try Complaints()
    let begin = Clock.steady()
    let child = try start(words, environment: environment, output: output, complaints: complaints)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let span = Clock.steady() - begin
    guard status == 0 else {
      let line = words.joined(separator: " ")
      let name = line.count > 100 ? line.prefix(100) + "…" : line
      throw BenchFailure("\(name): \(end(status))\(complaints.take())")
    }
    return span
  }

  /// What waitpid(2) says of an end.
  static func end(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0 ? "status \(status >> 8 & 0xff)" : "killed by signal \(signal)"
  }

  /// What it says.
  static func output(
    _ words: [String], environment: [String: String] = [:], through file: String
  ) throws -> String {
    try time(words, environment: environment, output: file)
    defer { unlink(file) }
    return try text(of: file)
  }

  /// A whole file.
  static func text(of file: String) throws -> String {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw BenchFailure("cannot read \(file): errno \(errno)") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece[..<count]
    }
  }

  /// Where a program is.
  static func path(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}

/// Moments in ns.
enum Clock {
  static func steady() -> Int64 { read(CLOCK_MONOTONIC) }
  /// Since the epoch.
  static func wall() -> Int64 { read(CLOCK_REALTIME) }

  static func read(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  static func sleep(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }

  /// Until a moment of the wall clock.
  static func sleep(until moment: Int64) {
    let left = moment - wall()
    if left > 0 { sleep(Double(left) / 1e9) }
  }
}
