import Dispatch
import EggDaemon
import EggTestSupport
import EggTime
import Synchronization
import Testing

/// On the machine's own clock: the timer is the kernel's.
@Suite struct WakeTimerTests {
  @Test("It calls at its moment and not before, and tells what it was set to and when it woke")
  func waking() async throws {
    let queue = DispatchQueue(label: "timer")
    let clock = SystemClock()
    let moment = clock.read().wall + TimeSpan(microseconds: 50_000)
    let (called, timer) = await withCheckedContinuation { continuation in
      queue.async {
        let timer = WakeTimer(queue: queue, clock: clock)
        timer.onWake = { continuation.resume(returning: ((waking: $0, at: clock.read().wall), Kept(timer))) }
        timer.arm(moment)
      }
    }
    queue.sync { timer.timer.arm(nil) }
    #expect(called.at >= moment)
    #expect(called.waking.armedAt < moment)
    #expect(called.waking.wokeAt >= called.waking.armedAt)
    #expect(called.waking.wokeAt <= called.at)
  }

  /// Lives on `queue`; only carried over.
  private struct Kept: @unchecked Sendable {
    let timer: WakeTimer

    init(_ timer: WakeTimer) { self.timer = timer }
  }
}
