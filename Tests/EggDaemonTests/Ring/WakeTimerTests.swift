import Dispatch
import EggDaemon
import EggTestSupport
import EggTime
import Testing

/// On the machine's own clock: the timer is the kernel's. One that wakes late, on a busy machine, leaves no time to get
/// ready, or to sleep after that: a try in which it was seen to be late is made again.
@Suite struct WakeTimerTests {
  @Test("It has the caller get ready, sleeps, calls at its moment and not before, and tells how it woke")
  func waking() async throws {
    let waking = try await undisturbed(armed: once).waking
    #expect(waking.readying >= Self.effort)
    #expect(waking.wokeAt >= waking.armedAt)
  }

  @Test("Armed for the moment for which it is ready, it sleeps on and nobody gets ready again")
  func armedAgain() async throws {
    try await undisturbed { timer, moment in
      timer.arm(moment)
      return moment
    }
  }

  @Test("Armed for another moment while it is ready for one, it is got ready for that")
  func armedForAnother() async throws {
    let seen = try await undisturbed(readied: 2) { timer, moment in
      let other = moment + TimeSpan(microseconds: 20_000)
      timer.arm(other)
      return other
    }
    #expect(seen.ready[1] > seen.ready[0] + TimeSpan(microseconds: 10_000))
  }

  @Test("For a moment that is past nobody gets ready")
  func past() async throws {
    let seen = await seen(after: TimeSpan(microseconds: -1), armed: once)
    #expect(seen.waking.readying == .zero)
    #expect(seen.ready.isEmpty)
  }

  private let queue = DispatchQueue(label: "timer")
  private let clock = SystemClock()
  /// How long the caller takes to get ready.
  private static let effort = TimeSpan(microseconds: 100)
  /// How late it may wake, or the caller be with its effort, and still have time to sleep after that.
  private static let tolerance = TimeSpan(microseconds: 400)
  /// Arms nothing once it is ready.
  private let once: Arming = { _, moment in moment }

  /// What is armed once the caller is ready for a moment, for the first time.
  ///
  /// - Returns: The moment at which it has to call.
  private typealias Arming = @Sendable (WakeTimer, Instant) -> Instant

  private struct Seen: Sendable {
    /// When the caller got ready.
    var ready: [Instant] = []
    /// When it last had got ready.
    var gotReady: Instant
    var waking: WakeTimer.Waking

    /// Whether the machine was busy with something else: by what the kernel's timer was set to.
    var isDisturbed: Bool {
      waking.wokeAt > waking.armedAt + tolerance || gotReady > waking.armedAt + tolerance + effort
    }
  }

  /// A try in which nothing kept it from sleeping once the caller was ready: it did, ready so often.
  @discardableResult
  private func undisturbed(readied count: Int = 1, armed again: @escaping Arming) async throws -> Seen {
    for _ in 1...50 {
      let seen = await seen(after: TimeSpan(microseconds: 30_000), armed: again)
      guard !seen.isDisturbed else { continue }
      try #require(seen.ready.count == count)
      #expect(seen.waking.armedAt > seen.ready[count - 1])
      return seen
    }
    throw Disturbed()
  }

  private struct Disturbed: Error {}

  private func seen(after span: TimeSpan, armed again: @escaping Arming) async -> Seen {
    let run = Run(queue, clock)
    return await withCheckedContinuation { continuation in
      queue.async { run.start(after: span, armed: again) { continuation.resume(returning: $0) } }
    }
  }

  /// Confined to the timer's queue.
  private final class Run: @unchecked Sendable {
    private let queue: DispatchQueue
    private let clock: SystemClock
    private let timer: WakeTimer
    private var ready: [Instant] = []
    private var gotReady = Instant(microseconds: 0)
    /// At which it has to call.
    private var last = Instant(microseconds: 0)

    init(_ queue: DispatchQueue, _ clock: SystemClock) {
      (self.queue, self.clock) = (queue, clock)
      timer = WakeTimer(queue: queue, clock: clock)
    }

    func start(after span: TimeSpan, armed again: @escaping Arming, done: @escaping (Seen) -> Void) {
      last = clock.read().wall + span
      timer.onLead = { [self] moment in
        let now = clock.read()
        while clock.read().monotonic < now.monotonic + WakeTimerTests.effort.microseconds {}
        ready.append(now.wall)
        gotReady = clock.read().wall
        #expect(moment == last)
        if ready.count == 1 { queue.async { [self] in last = again(timer, moment) } }
      }
      timer.onWake = { [self] waking in
        #expect(clock.read().wall >= last)
        timer.onLead = { _ in }
        timer.onWake = { _ in }
        done(Seen(ready: ready, gotReady: gotReady, waking: waking))
      }
      timer.arm(last)
    }
  }
}
