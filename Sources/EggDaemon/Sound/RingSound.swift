import Alarms
import Dispatch
import EggTime
import Ringing

/// Makes rings heard that the notification server does not. One sound at a time: it stands for all alarms that ring while
/// it plays, and ends early when the first of them are answered. Confined to the scheduler's queue.
///
/// Sendable because `queue` guards every stored property that changes.
package final class RingSound: @unchecked Sendable {
  /// After a failure nothing is tried for so long, in µs: there will be no sound server within the next burst of rings.
  private static let pause: Int64 = 5_000_000
  /// Of more alarms it is not known whether they still ring.
  private static let most = 64

  /// For alarms without a sound of their own.
  package var usual: AlarmSound
  private let player: SoundPlayer
  private let queue: DispatchQueue
  private let clock: any Clock
  private let log: @Sendable (JournalEvent) -> Void
  /// The occurrences that the sound stands for; empty while none plays.
  private var occurrences: [Int64] = []
  /// Until then nothing is tried, in µs of CLOCK_MONOTONIC.
  private var resting = Int64.min
  private var said: Set<String> = []
  /// eggd-sound and its library are known to be there.
  private var hasPlayer = false
  private(set) var isPlaying = false
  /// Why the last try failed.
  private(set) var problem: String?

  package init(
    player: SoundPlayer, usual: AlarmSound, queue: DispatchQueue, clock: any Clock,
    log: @escaping @Sendable (JournalEvent) -> Void
  ) {
    self.player = player
    self.usual = usual
    self.queue = queue
    self.clock = clock
    self.log = log
  }

  /// These ring now, and no server makes them heard.
  func rang(_ notices: [Notice]) {
    dispatchPrecondition(condition: .onQueue(queue))
    let audible = notices.lazy.filter { ($0.card.heard ?? self.usual) != .silence }
    guard let first = audible.first else { return }
    if isPlaying {
      occurrences += audible.prefix(Self.most + 1 - occurrences.count).map(\.occurrence)
      return
    }
    guard clock.read().monotonic >= resting else { return }
    isPlaying = true
    occurrences = audible.prefix(Self.most + 1).map(\.occurrence)
    let sound = first.card.heard ?? usual
    // Behind what this wake-up still has to do.
    queue.async { [self] in
      player.play(sound) { [weak self] outcome in
        guard let self else { return }
        queue.async { [self] in ended(outcome) }
      }
    }
  }

  /// Ends the sound when none of its alarms rings any more.
  func keep(for bubbles: Bubbles) {
    guard isPlaying else { return }
    let rings = occurrences.count > Self.most ? bubbles.ringsAny : occurrences.contains(where: bubbles.rings)
    if !rings { stop() }
  }

  func stop() {
    occurrences = []
    if isPlaying { player.stop() }
  }

  /// Why nothing could be played, asked anew until the library is there.
  func check(_ answer: @escaping @Sendable (String?) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    if usual == .silence { return answer(translatable("the sound is set to none")) }
    guard !hasPlayer else { return answer(problem) }
    player.check { [weak self] missing in
      guard let self else { return }
      queue.async { [self] in
        hasPlayer = missing == nil
        // Whether there is a sound server, only a ring shows.
        answer(missing)
      }
    }
  }

  private func ended(_ outcome: SoundPlayer.Outcome) {
    isPlaying = false
    occurrences = []
    problem = outcome.problem
    hasPlayer = problem != SoundPlayer.noLibrary && problem != SoundPlayer.notInstalled
    guard let problem else { return }
    resting = clock.read().monotonic + Self.pause
    if said.insert(problem).inserted { log(.notHeard(reason: problem)) }
  }
}
