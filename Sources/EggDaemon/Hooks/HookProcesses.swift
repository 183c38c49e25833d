import Alarms
import CLinux
import Dispatch
import Glibc
import LinuxIO

/// Runs hooks as children of eggd, where there is no service manager. What they print goes where eggd's own messages go.
///
/// Sendable because it is confined to `queue`.
final class HookProcesses: @unchecked Sendable {
  /// Between the request to end and the end by force, in seconds.
  private static let grace = 5

  private let environment: [String: String]
  private let limit: DispatchTimeInterval
  private let queue: DispatchQueue
  private var epoll: Epoll?
  /// By the pidfd of each.
  private var running: [Int32: Running] = [:]

  private struct Running {
    var process: pid_t
    var isOverdue = false
    /// A source, because its end takes back the wake-up.
    var timer: any DispatchSourceTimer
    var ended: (HookRun.Result) -> Void
  }

  /// - Parameter limit: How long each may run.
  init(environment: [String: String], limit: DispatchTimeInterval, queue: DispatchQueue) {
    self.environment = environment
    self.limit = limit
    self.queue = queue
  }

  deinit {
    for descriptor in running.keys { epoll?.closeLater(descriptor) }
  }

  /// Starts a hook with `input` as its standard input; `ended` is called on the queue.
  func start(_ hook: Hook, input: [UInt8], ended: @escaping (HookRun.Result) -> Void) {
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
    watch(process, ended)
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

  private func watch(_ process: pid_t, _ ended: @escaping (HookRun.Result) -> Void) {
    let descriptor = pidfd_open(process, 0)
    if epoll == nil { epoll = try? Epoll(queue: queue) }
    guard descriptor >= 0, let epoll else {
      // At the kernel's limits: waits for the end, which only this queue has time for.
      return ended(Self.result(ChildProcess.reap(process), isOverdue: false))
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.overdue(descriptor) }
    timer.schedule(deadline: .now() + limit, repeating: .seconds(Self.grace))
    timer.activate()
    running[descriptor] = Running(process: process, timer: timer, ended: ended)
    epoll.add(descriptor) { [weak self] _ in self?.reap(descriptor) }
    if !epoll.watch(descriptor, for: .readable) { reap(descriptor) }
  }

  /// Asks it to end, and ends it by force when it does not.
  private func overdue(_ descriptor: Int32) {
    guard let late = running[descriptor] else { return }
    kill(-late.process, late.isOverdue ? SIGKILL : SIGTERM)
    running[descriptor]?.isOverdue = true
  }

  private func reap(_ descriptor: Int32) {
    epoll?.close(descriptor)
    guard let ended = running.removeValue(forKey: descriptor) else { return }
    ended.timer.cancel()
    ended.ended(Self.result(ChildProcess.reap(ended.process), isOverdue: ended.isOverdue))
  }

  /// Of a status of wait(2).
  private static func result(_ status: Int32, isOverdue: Bool) -> HookRun.Result {
    let signal = status & 0x7F
    if signal == 0 { return .exited(Int64((status >> 8) & 0xFF)) }
    return isOverdue ? .timedOut : .killed(Int64(signal))
  }
}
