import CLinux
import Glibc

/// What the kernel gives at best: one thread that reads a CLOCK_REALTIME timerfd, looks at the clock, and calls Notify.
enum BareTimer {
  /// The app_name of its calls.
  static let sender = "bare timer"

  /// Begins at once; `moments` are ascending, in µs since the epoch. Tells how late each was, in ns.
  static func start(moments: [Int64], bus address: String) -> Worker<[Int64]> {
    Worker {
      let caller = try BusCaller(address: address, name: sender)
      let timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC))
      defer { close(timer) }
      return moments.map { moment in
        var when = itimerspec()
        when.it_value.tv_sec = Int(moment / 1_000_000)
        when.it_value.tv_nsec = Int(moment % 1_000_000) * 1000
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &when, nil)
        var expirations: UInt64 = 0
        read(timer, &expirations, 8)
        let late = Clock.wall() - moment * 1000
        caller.notify()
        return late
      }
    }
  }
}
