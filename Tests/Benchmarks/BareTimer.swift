import CLinux
import Glibc
import Synchronization

/// What the kernel gives at best: one thread that reads a CLOCK_REALTIME timerfd and looks at the clock.
final class BareTimer: Sendable {
  private let moments: [Int64]
  private let lateness = Mutex<[Int64]>([])
  private let thread = Mutex<pthread_t?>(nil)

  /// Begins at once; `moments` are ascending, in µs since the epoch.
  init(moments: [Int64]) {
    self.moments = moments
    var started = pthread_t()
    pthread_create(
      &started, nil,
      { pointer in
        if let pointer { Unmanaged<BareTimer>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    let handle = started
    thread.withLock { $0 = handle }
  }

  /// How late each was, in ns, when all are over.
  func wait() -> [Int64] {
    if let thread = thread.withLock({ $0 }) { pthread_join(thread, nil) }
    return lateness.withLock { $0 }
  }

  private func run() {
    let timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC))
    defer { close(timer) }
    for moment in moments {
      var when = itimerspec()
      when.it_value.tv_sec = Int(moment / 1_000_000)
      when.it_value.tv_nsec = Int(moment % 1_000_000) * 1000
      timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &when, nil)
      var expirations: UInt64 = 0
      read(timer, &expirations, 8)
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let late = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - moment * 1000
      lateness.withLock { $0.append(late) }
    }
  }
}
