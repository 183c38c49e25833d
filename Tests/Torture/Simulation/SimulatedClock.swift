import Dispatch
import EggTestSupport
import EggTime
import LinuxIO
import Synchronization

/// Time that passes only as the run says, and what is to be called back when it has.
final class SimulatedClock: Clock, DelayedCalls {
  /// What was asked for with ``call(after:on:_:)``.
  struct Timer: Sendable {
    /// CLOCK_MONOTONIC, µs.
    var due: Int64
    var queue: DispatchQueue
    var body: @Sendable () -> Void
  }

  let time: FakeClock
  private let timers = Mutex<[Timer]>([])

  init(wall: Instant) { time = FakeClock(wall: wall) }

  func read() -> ClockReading { time.read() }

  func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    let timer = Timer(due: read().monotonic + Int64(seconds) * 1_000_000, queue: queue, body: body)
    timers.withLock { $0.append(timer) }
  }

  /// When the first timer is due; CLOCK_MONOTONIC, µs.
  var nextTimer: Int64? { timers.withLock { $0.map(\.due).min() } }

  /// Puts what is due by now on its queue.
  func fire() {
    let now = read().monotonic
    let due = timers.withLock { timers in
      defer { timers.removeAll { $0.due <= now } }
      return timers.filter { $0.due <= now }
    }
    for timer in due.sorted(by: { $0.due < $1.due }) { timer.queue.async(execute: timer.body) }
  }

  /// The process that asked for them is gone.
  func forget() {
    let old = timers.withLock { timers in
      defer { timers = [] }
      return timers
    }
    // What they hold is released here, without the lock.
    _ = old
  }
}
