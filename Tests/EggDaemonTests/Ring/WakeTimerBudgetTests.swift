import Dispatch
import EggDaemon
import EggTime
import Synchronization
import Testing

/// On a clock that stands still, as one that is set back does for the timer: what ends the watching is its bound. Only the
/// kernel's timer goes by the machine's clock.
@Suite struct WakeTimerBudgetTests {
  @Test(
    "Where the clock is set back it is watched for 400 us, or what getting ready left of 950",
    arguments: [(100, 400), (550, 400), (700, 250), (940, 10), (950, 0), (5_000, 0)])
  func clockSetBack(effort: Int64, watched: Int64) async {
    let waking = await waking(effort: effort)
    // the first look at the clock before it is watched takes 1 us, too
    #expect(waking.spent.microseconds == effort + 1 + watched)
  }

  @Test("It wakes again as much earlier than its moment as it may watch")
  func secondWakeUp() async {
    let moment = SystemClock().read().wall + TimeSpan(microseconds: 20_000)
    let waking = await waking(at: moment, effort: 700)
    #expect(waking.armedAt == moment - TimeSpan(microseconds: 250))
  }

  private let queue = DispatchQueue(label: "timer")

  /// The caller takes so many µs of the processor to get ready.
  private func waking(
    at moment: Instant = SystemClock().read().wall + TimeSpan(microseconds: 20_000), effort: Int64
  ) async -> WakeTimer.Waking {
    let clock = StandingClock(before: moment)
    let timer = Held(timer: WakeTimer(queue: queue, clock: clock))
    return await withCheckedContinuation { continuation in
      queue.async {
        timer.timer.onLead = { _ in clock.spend(effort) }
        timer.timer.onWake = { waking in
          timer.timer.onLead = { _ in }
          timer.timer.onWake = { _ in }
          continuation.resume(returning: waking)
        }
        timer.timer.arm(moment)
      }
    }
  }

  /// Confined to the timer's queue.
  private final class Held: @unchecked Sendable {
    let timer: WakeTimer
    init(timer: WakeTimer) { self.timer = timer }
  }

  /// The wall clock stays an hour before the moment; each look at it takes 1 us.
  private final class StandingClock: Clock {
    private let wall: Instant
    private let time = Atomic<Int64>(0)

    init(before moment: Instant) { wall = moment - TimeSpan(microseconds: 3_600_000_000) }

    /// Getting ready, with the looks before and after it.
    func spend(_ span: Int64) { time.add(span - 2, ordering: .relaxed) }

    func processorTime() -> Int64 { time.load(ordering: .relaxed) }

    func read() -> ClockReading {
      let now = time.add(1, ordering: .relaxed).newValue
      return ClockReading(wall: wall, boot: now, monotonic: now)
    }
  }
}
