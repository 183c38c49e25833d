import EggProtocol
import Glibc

/// The eggd that is measured, with directories of its own.
struct Daemon {
  private let pid: pid_t
  private let socket: String

  init(program: String, directory: String) throws {
    for name in ["run", "state"] { mkdir("\(directory)/\(name)", 0o700) }
    socket = "\(directory)/run/eggd/eggd.sock"
    let environment = [
      "XDG_RUNTIME_DIR=\(directory)/run", "XDG_STATE_HOME=\(directory)/state", "HOME=\(directory)",
    ]
    var argv: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, program, nil, nil, &argv, &envp)
    guard result == 0 else { throw BenchFailure("cannot start \(program): errno \(result)") }
    pid = child
  }

  /// A connection, once it answers; waits 10 s for that.
  func connect() throws -> ScheduleClient {
    for _ in 0..<1000 {
      if let client = try? ScheduleClient(path: socket) { return client }
      poll(nil, 0, 10)
    }
    throw BenchFailure("eggd does not answer")
  }

  /// Resident memory, and what of it is shared with no other process (proc(5), smaps_rollup).
  func memory() throws -> String {
    guard let file = fopen("/proc/\(pid)/smaps_rollup", "r") else { throw BenchFailure("eggd has ended") }
    defer { fclose(file) }
    var sizes: [String: Int] = [:]
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let words = line.withUnsafeBytes { bytes in
        bytes.prefix { $0 != 0 }.split(separator: UInt8(ascii: " ")).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
      if words.count >= 2, let size = Int(words[1]) { sizes[words[0]] = size }
    }
    let resident = sizes["Rss:"] ?? 0
    let own = (sizes["Private_Clean:"] ?? 0) + (sizes["Private_Dirty:"] ?? 0)
    return "\(resident / 1024) MB resident, \(own / 1024) MB of them its own"
  }

  func end() {
    kill(pid, SIGTERM)
    waitpid(pid, nil, 0)
  }
}
