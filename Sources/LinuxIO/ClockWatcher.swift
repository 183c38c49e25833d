import CLinux
import Dispatch
import Glibc

/// Reports that the wall clock was set or that the machine resumed from suspend.
///
/// A timerfd with TFD_TIMER_CANCEL_ON_SET, armed as far ahead as possible. The kernel cancels it in both
/// cases, without saying which, and a read then fails with ECANCELED. Needs no logind, no system bus and no
/// wake-ups. Confined to the queue.
package final class ClockWatcher {
  private let source: any DispatchSourceRead

  /// Watches until released; nil where the kernel gives no timerfd.
  package init?(queue: DispatchQueue, onChange: @escaping () -> Void) {
    let descriptor = clinux_clock_watch_create()
    guard descriptor >= 0 else { return nil }
    guard clinux_clock_watch_arm(descriptor) == 0 else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      var expirations: UInt64 = 0
      // ECANCELED, or the expiry in 292 years: either way, the clocks have to be read again.
      _ = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
      _ = clinux_clock_watch_arm(descriptor)
      onChange()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }
}

/// Calls back after a delay. Tests pass in one without delays.
package protocol DelayedCalls: Sendable {
  /// Calls `body` on that queue after `seconds`, not counting suspend.
  func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)
}

extension DelayedCalls {
  package func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .seconds(seconds), execute: body)
  }
}
