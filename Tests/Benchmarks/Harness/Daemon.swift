import EggProtocol
import Glibc

/// An eggd that is measured.
final class Daemon {
  /// Its XDG_RUNTIME_DIR.
  let runtime: String
  /// The database's directory is `eggd` below it.
  let state: String
  /// From its start to `READY=1`, sd_notify(3), in ns.
  let timeToReady: Int64
  let pid: pid_t
  private var hasEnded = false

  /// Returns when it is ready.
  init(program: String, runtime: String, state: String) throws {
    (self.runtime, self.state) = (runtime, state)
    mkdir(state, 0o700)
    let path = "\(runtime)/ready"
    unlink(path)
    let notices = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(notices) }
    guard UnixAddress.with(path, { bind(notices, $0, $1) }) == 0 else {
      throw BenchFailure("cannot listen at \(path): errno \(errno)")
    }
    var limit = timeval(tv_sec: 0, tv_usec: 100_000)
    setsockopt(notices, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let environment = [
      "XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": state, "HOME": state, "NOTIFY_SOCKET": path,
    ]
    let begin = Clock.steady()
    let complaints = try Complaints()
    pid = try Command.start([program], environment: environment, complaints: complaints)
    var text = [UInt8](repeating: 0, count: 512)
    repeat {
      let count = recv(notices, &text, text.count, 0)
      if count > 0 { continue }
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) == pid {
        throw BenchFailure("eggd ended before it was ready, \(Command.end(status))\(complaints.take())")
      }
      guard Clock.steady() < begin + 60_000_000_000 else {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        throw BenchFailure("eggd was not ready within 60 s\(complaints.take())")
      }
    } while !text.starts(with: "READY=1".utf8)
    timeToReady = Clock.steady() - begin
  }

  deinit { end() }

  var socket: String { "\(runtime)/eggd/eggd.sock" }

  /// What eggctl needs to find it.
  var environment: [String: String] { ["XDG_RUNTIME_DIR": runtime] }

  func client() throws -> ScheduleClient { try ScheduleClient(path: socket) }

  /// Processor time of all its threads so far, in ns.
  func processorTime() throws -> Int64 {
    var clock = clockid_t()
    guard clock_getcpuclockid(pid, &clock) == 0 else { throw BenchFailure("eggd has ended") }
    return Clock.read(clock)
  }

  /// Resident memory, and what of it is in no file (proc(5), smaps_rollup), in MiB.
  func memory() throws -> (resident: Double, own: Double) {
    var sizes: [Substring: Double] = [:]
    for line in try Command.text(of: "/proc/\(pid)/smaps_rollup").split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count >= 2, let size = Double(words[1]) { sizes[words[0]] = size / 1024 }
    }
    return (sizes["Rss:"] ?? .nan, sizes["Anonymous:"] ?? .nan)
  }

  /// Returns when it has ended; one that does not within 60 s is killed.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(pid, SIGTERM)
    let deadline = Clock.steady() + 60_000_000_000
    while waitpid(pid, nil, WNOHANG) == 0 {
      if Clock.steady() > deadline { kill(pid, SIGKILL) }
      Clock.sleep(0.002)
    }
  }
}
