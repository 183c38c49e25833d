import EggTestSupport
import Glibc
import Synchronization

/// A real process with its output in pipes, each line stamped when it is read. Ended with its owner.
final class ChildProcess: Sendable {
  /// One line of output and the moment it was read, in µs since the epoch.
  struct Line: Sendable {
    var moment: Int64
    var text: String
  }

  let pid: pid_t
  private let outputReader: LineReader
  private let errorReader: LineReader
  private let ended = Mutex<Int32?>(nil)

  /// `environment` is all there is; the program is looked for on this process's PATH.
  init(_ arguments: [String], environment: [String: String]) throws {
    let output = try Pipe()
    let error = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, error.write, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // the test's own mask and ignored signals are not the child's business
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var defaults = sigset_t()
    sigfillset(&defaults)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var child: pid_t = 0
    let result = posix_spawnp(&child, arguments[0], &actions, &attributes, &argv, &envp)
    close(output.write)
    close(error.write)
    guard result == 0 else { throw SystemFailure(call: "spawn \(arguments[0])", errno: result) }
    pid = child
    outputReader = LineReader(output.read)
    errorReader = LineReader(error.read)
  }

  deinit {
    guard isRunning else { return }
    // a script ends what it has started; one that does not is ended with it
    kill(pid, SIGTERM)
    guard waitForEnd(within: .seconds(5)) == nil else { return }
    for process in Self.family(of: pid) { kill(process, SIGKILL) }
    _ = reap(options: 0)
  }

  /// It, and what it has started, and so on. Not a group of processes: Control-C is for the test's own.
  private static func family(of pid: pid_t) -> [pid_t] {
    guard let file = fopen("/proc/\(pid)/task/\(pid)/children", "r") else { return [pid] }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    guard fgets(&line, Int32(line.count), file) != nil else { return [pid] }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return [pid] + text.split(separator: " ").compactMap { pid_t($0) }.flatMap(family)
  }

  /// What it has written to standard output until now.
  var output: [Line] { outputReader.lines.withLock { $0 } }
  /// What it has written to standard error until now.
  var errors: [Line] { errorReader.lines.withLock { $0 } }

  /// Does nothing once it has ended.
  func signal(_ number: Int32) {
    if isRunning { kill(pid, number) }
  }

  /// The exit status, or 128 and the signal that ended it; nil if it still runs after `limit`. Its output
  /// is complete then.
  func waitForEnd(within limit: Duration = patience) -> Int32? {
    eventually(within: limit) { reap(options: WNOHANG) }.map { status in
      _ = eventually { outputReader.isAtEnd && errorReader.isAtEnd ? true : nil }
      return status
    }
  }

  /// Whether it has not ended yet.
  var isRunning: Bool { reap(options: WNOHANG) == nil }

  /// The first line on standard error that has `text` in it.
  func waitForError(containing text: String) -> Line? {
    eventually { errors.first { $0.text.contains(text) } }
  }

  private func reap(options: Int32) -> Int32? {
    ended.withLock { known in
      if let known { return known }
      var status: Int32 = 0
      guard waitpid(pid, &status, options) == pid else { return nil }
      let signal = status & 0x7f
      known = signal == 0 ? (status >> 8) & 0xff : 128 + signal
      return known
    }
  }
}

/// A system call that failed.
struct SystemFailure: Error, CustomStringConvertible {
  var call: String
  var errno: Int32
  var description: String { "\(call): \(String(cString: strerror(errno)))" }
}

private struct Pipe {
  let read: Int32
  let write: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemFailure(call: "pipe", errno: errno) }
    // closed in children: dup2 to 1 and 2 makes the copies that stay open
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (read, write) = (ends[0], ends[1])
  }
}

/// Reads a descriptor to its end on a thread of its own.
private final class LineReader: Sendable {
  let lines = Mutex<[ChildProcess.Line]>([])
  private let atEnd = Mutex(false)

  var isAtEnd: Bool { atEnd.withLock { $0 } }

  init(_ descriptor: Int32) {
    let box = Unmanaged.passRetained(Reading(reader: self, descriptor: descriptor))
    var thread = pthread_t()
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { reading in
      reading.map { Unmanaged<Reading>.fromOpaque($0).takeRetainedValue().run() }
      return nil
    }
    pthread_create(&thread, nil, run, box.toOpaque())
    pthread_detach(thread)
  }

  private final class Reading {
    let reader: LineReader
    let descriptor: Int32

    init(reader: LineReader, descriptor: Int32) {
      self.reader = reader
      self.descriptor = descriptor
    }

    func run() {
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        let moment = now()
        guard count > 0 else { break }
        rest += buffer[..<count]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let text = String(decoding: rest[..<end], as: UTF8.self)
          rest.removeSubrange(...end)
          reader.lines.withLock { $0.append(ChildProcess.Line(moment: moment, text: text)) }
        }
      }
      if !rest.isEmpty {
        let text = String(decoding: rest, as: UTF8.self)
        reader.lines.withLock { $0.append(ChildProcess.Line(moment: now(), text: text)) }
      }
      close(descriptor)
      reader.atEnd.withLock { $0 = true }
    }
  }
}

/// The wall clock in µs since the epoch.
func now() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
