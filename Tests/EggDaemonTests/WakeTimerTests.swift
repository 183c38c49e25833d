import Dispatch
import EggDaemon
import EggTestSupport
import EggTime
import Glibc
import Testing

/// On the machine's own clock: the timer is the kernel's.
@Suite struct WakeTimerTests {
  @Test("It has the caller get ready first, calls at its moment and not before, and tells how it woke")
  func waking() async throws {
    let moment = clock.read().wall + TimeSpan(microseconds: 50_000)
    let seen = await seen(armed: [moment], for: moment)
    let called = try #require(seen.called)
    #expect(called.at >= moment)
    #expect(called.waking.armedAt < moment)
    #expect(called.waking.wokeAt >= called.waking.armedAt)
    #expect(called.waking.wokeAt <= called.at)
    // A machine that stops for longer than it wakes early leaves no time for it, or for sleep after it.
    if let ready = seen.ready.first {
      #expect(ready < moment)
      #expect(called.waking.readying >= TimeSpan(microseconds: 100) || called.waking.wokeAt <= ready)
    }
  }

  @Test("It is got ready for a moment once, however often it is armed for that")
  func armedAgain() async throws {
    let moment = clock.read().wall + TimeSpan(microseconds: 50_000)
    let seen = await seen(armed: [moment, moment], for: moment, again: true)
    #expect(seen.called?.at ?? moment >= moment)
    #expect(seen.ready.count <= 1)
  }

  @Test("For a moment that is past nobody gets ready")
  func past() async throws {
    let moment = clock.read().wall - TimeSpan(microseconds: 1)
    let seen = await seen(armed: [moment], for: moment)
    #expect(seen.called?.waking.readying == .zero)
    #expect(seen.ready.isEmpty)
  }

  private let queue = DispatchQueue(label: "timer")
  private let clock = SystemClock()

  private struct Seen: Sendable {
    var ready: [Instant] = []
    var called: (waking: WakeTimer.Waking, at: Instant)?
  }

  /// What it calls, from the first arming to the moment. `again`: armed for it once more when the caller is ready.
  private func seen(armed: [Instant], for moment: Instant, again: Bool = false) async -> Seen {
    let (seen, timer) = await withCheckedContinuation { continuation in
      queue.async {
        var seen = Seen()
        let timer = WakeTimer(queue: queue, clock: clock)
        let kept = Kept(timer)
        timer.onLead = {
          seen.ready.append(clock.read().wall)
          usleep(100)
          #expect($0 == moment)
          if again { queue.async { kept.timer.arm(moment) } }
        }
        timer.onWake = {
          seen.called = ($0, clock.read().wall)
          continuation.resume(returning: (seen, kept))
        }
        armed.forEach(timer.arm)
      }
    }
    queue.sync {
      timer.timer.arm(nil)
      timer.timer.onLead = { _ in }
    }
    return seen
  }

  /// Lives on `queue`; only carried over.
  private struct Kept: @unchecked Sendable {
    let timer: WakeTimer

    init(_ timer: WakeTimer) { self.timer = timer }
  }
}
