import Dispatch
import EggDaemon
import EggTime
import Synchronization
import Testing

@Suite("The wake timer")
struct WakeTimerTests {
  @Test("The timer calls at its moment and not before")
  func waking() async {
    let clock = SystemClock()
    let moment = clock.read().wall + TimeSpan(microseconds: 20_000)
    #expect(await wake(at: moment, clock: clock).called >= moment)
  }

  @Test("The timer calls at once for a past moment")
  func past() async {
    let clock = SystemClock()
    let moment = clock.read().wall - TimeSpan(microseconds: 1)
    #expect(await wake(at: moment, clock: clock).called >= moment)
  }

  @Test("A timer armed for another moment calls only at that one")
  func armedForAnother() async {
    let clock = SystemClock()
    let first = clock.read().wall + TimeSpan(microseconds: 20_000)
    let other = first + TimeSpan(microseconds: 20_000)
    let seen = await wake(at: first, clock: clock) { $0.arm(other) }
    #expect(seen.called >= other)
  }

  @Test("With a clock set back, the timer spins no longer than usual")
  func clockSetBack() async {
    let clock = StandingClock()
    let moment = SystemClock().read().wall + TimeSpan(microseconds: 20_000)
    let before = clock.read().monotonic
    let seen = await wake(at: moment, clock: clock)
    // Each reading of that clock takes 1 µs, and so did the one at the wake-up.
    #expect(seen.monotonic - before == WakeTimer.lead + 2)
  }

  private struct Seen: Sendable {
    var called: Instant
    var monotonic: Int64
  }

  private func wake(
    at moment: Instant, clock: any Clock, then change: @escaping @Sendable (WakeTimer) -> Void = { _ in }
  ) async -> Seen {
    let queue = DispatchQueue(label: "timer")
    let held = Held(timer: WakeTimer(queue: queue, clock: clock))
    return await withCheckedContinuation { continuation in
      queue.async {
        held.timer.onWake = {
          let now = clock.read()
          held.timer.onWake = {}
          continuation.resume(returning: Seen(called: now.wall, monotonic: now.monotonic))
        }
        held.timer.arm(moment)
        change(held.timer)
      }
    }
  }

  /// Confined to the timer's queue.
  private final class Held: @unchecked Sendable {
    let timer: WakeTimer
    init(timer: WakeTimer) { self.timer = timer }
  }

  /// A wall clock at 0, as after being set back; each reading takes 1 µs. Only the kernel's timer uses the
  /// machine's clock.
  private final class StandingClock: Clock {
    private let time = Atomic<Int64>(0)

    func read() -> ClockReading {
      let now = time.add(1, ordering: .relaxed).newValue
      return ClockReading(wall: Instant(microseconds: 0), boot: now, monotonic: now)
    }
  }
}
