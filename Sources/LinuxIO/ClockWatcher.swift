import CLinux
import Dispatch
import Glibc

/// Tells when the wall clock was set and when the machine has resumed from suspend.
///
/// A timerfd with TFD_TIMER_CANCEL_ON_SET, armed as far ahead as can be: the kernel cancels it at both, and a
/// read then fails with ECANCELED. No logind, no system bus, no wake-up in between. It does not say which of the two
/// it was. Confined to the queue.
package final class ClockWatcher {
  private let source: any DispatchSourceRead

  /// Watches until it is released; nil where the kernel gives no such timer.
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
      // ECANCELED, or (in 292 years) the expiry: both mean that the clocks are to be read anew.
      _ = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
      _ = clinux_clock_watch_arm(descriptor)
      onChange()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }
}
