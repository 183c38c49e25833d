import Alarms
import CLinux
import Dispatch
import Glibc
import LinuxIO

/// Runs hooks as children of eggd, where there is no service manager. What they print goes where eggd's own messages go.
struct HookProcesses: Sendable {
  /// Between the request to end and the end by force, in milliseconds.
  private static let grace: Int32 = 5_000

  let environment: [String: String]
  /// How long each may run, in milliseconds.
  let limit: Int32
  let queue: DispatchQueue

  /// Starts a hook with `input` as its standard input; `ended` is called on the queue.
  func start(_ hook: Hook, input: [UInt8], ended: @escaping @Sendable (HookRun.Result) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let reading = Self.pipe(holding: input) else { return ended(Self.notStarted) }
    defer { close(reading) }
    var child = ChildProcess(
      hook.words,
      environment: ProcessSettings.passedOn(environment) + hook.variables.map { "\($0.name)=\($0.value)" })
    child.directory = environment["HOME"]
    child.streams = (reading, STDERR_FILENO, STDERR_FILENO)
    child.isLeader = true
    guard let process = child.start() else { return ended(Self.notStarted) }
    // A thread for each: only a few run at once.
    DispatchQueue(label: "hook").async { [limit, queue] in
      let result = Self.wait(for: process, limit)
      queue.async { ended(result) }
    }
  }

  /// For the reason in errno.
  private static var notStarted: HookRun.Result { .notStarted(String(cString: strerror(errno))) }

  /// F_SETPIPE_SZ, which Glibc's module lacks.
  private static let setPipeSize: Int32 = 1_031

  /// A pipe that has all of `input`, and its end after that; nil with errno set. Writing waits for nobody.
  private static func pipe(holding input: [UInt8]) -> Int32? {
    guard let (reading, writing) = ChildProcess.pipe() else { return nil }
    defer { close(writing) }
    // pipe(7): 1 MiB is open to everybody; an alarm's JSON is smaller.
    _ = fcntl(writing, setPipeSize, Int32(clamping: input.count))
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    _ = write(writing, input, input.count)
    return reading
  }

  /// Waits for its end. Asks it to end when its time is over, and ends it by force when it does not.
  private static func wait(for process: pid_t, _ limit: Int32) -> HookRun.Result {
    // At the kernel's limits there is no descriptor, and its time has no end.
    var entry = pollfd(fd: pidfd_open(process, 0), events: Int16(POLLIN), revents: 0)
    var (patience, isOverdue) = (limit, false)
    while entry.fd >= 0, case let count = poll(&entry, 1, patience), count <= 0 {
      guard count == 0 else {
        if errno == EINTR { continue }
        break
      }
      kill(-process, isOverdue ? SIGKILL : SIGTERM)
      (patience, isOverdue) = (grace, true)
    }
    if entry.fd >= 0 { close(entry.fd) }
    // As wait(2) has it.
    let status = ChildProcess.reap(process)
    let signal = status & 0x7F
    if signal == 0 { return .exited(Int64((status >> 8) & 0xFF)) }
    return isOverdue ? .timedOut : .killed(Int64(signal))
  }
}
