import Alarms
import Dispatch
import EggTime
import Ringing

/// Makes rings heard. One sound at a time: it stands for all alarms that ring together, and ends when the last of them is
/// answered. Those that ring meanwhile are heard after it. Confined to the scheduler's queue.
///
/// Sendable because `queue` guards every stored property that changes.
package final class RingSound: @unchecked Sendable {
  /// After a failure nothing is tried for so long, in µs: there will be no sound server within the next burst of rings.
  private static let pause: Int64 = 5_000_000
  /// Of more alarms it is not known whether they still ring.
  private static let most = 64

  package var settings: SoundSettings
  private let player: SoundPlayer
  private let queue: DispatchQueue
  private let clock: any Clock
  private let log: @Sendable (JournalEvent) -> Void
  private var playing: Sounding?
  /// Rang while that plays.
  private var next: Sounding?
  /// Until then nothing is tried, in µs of CLOCK_MONOTONIC.
  private var resting = Int64.min
  private var said: Set<String> = []
  /// The last ring of which it was said that its sound cannot be played.
  private var unplayable: RingID?
  /// The last try or check found a sound server.
  private(set) var canPlay = false
  /// Why the last try or check failed.
  private(set) var problem: String?

  /// Rings that one sound stands for.
  private struct Sounding {
    /// Whose sound it is.
    var first: Notice
    var occurrences: [Int64]
    var repeats: Bool

    func rings(in bubbles: Bubbles) -> Bool {
      occurrences.count > most ? bubbles.ringsAny : occurrences.contains(where: bubbles.rings)
    }
  }

  package init(
    player: SoundPlayer, settings: SoundSettings, queue: DispatchQueue, clock: any Clock,
    log: @escaping @Sendable (JournalEvent) -> Void
  ) {
    self.player = player
    self.settings = settings
    self.queue = queue
    self.clock = clock
    self.log = log
  }

  var isPlaying: Bool { playing != nil }

  /// These ring now. Many at once sound once, and so do those that are late.
  func rang(_ notices: [Notice], isShared: Bool) {
    dispatchPrecondition(condition: .onQueue(queue))
    let audible = notices.lazy.filter { ($0.card.heard ?? self.settings.usual) != .silence }
    guard let first = audible.first, isPlaying || clock.read().monotonic >= resting else { return }
    var sounding = next ?? Sounding(first: first, occurrences: [], repeats: false)
    sounding.occurrences += audible.prefix(Self.most + 1 - sounding.occurrences.count).map(\.occurrence)
    sounding.repeats = sounding.repeats || !isShared && audible.contains { $0.lateness <= Scheduler.grace }
    next = sounding
    if !isPlaying { begin() }
  }

  private func begin() {
    playing = next
    next = nil
    guard let playing else { return }
    let sounds = [playing.first.card.heard ?? settings.usual, settings.usual, .usual]
    let lasting = playing.repeats ? settings.lasting : .zero
    // Behind what this wake-up still has to do.
    queue.async { [self, fades = settings.fadesIn] in
      player.play(
        sounds.filter { $0 != .silence }, lasting: lasting, fades: fades,
        unplayable: { [self] sound in queue.async { [self] in cannotPlay(sound) } },
        ended: { [self] problem in queue.async { [self] in ended(problem) } })
    }
  }

  /// Ends the sound when none of its alarms rings any more.
  func keep(for bubbles: Bubbles) {
    if next?.rings(in: bubbles) == false { next = nil }
    if playing?.rings(in: bubbles) == false { player.stop() }
  }

  func stop() {
    next = nil
    if isPlaying { player.stop() }
  }

  /// Looks whether a sound could be played, and says why not.
  func check(_ answer: @escaping @Sendable (String?) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    if settings.usual == .silence { return answer(translatable("the sound is set to none")) }
    player.check { [self] problem in
      queue.async { [self] in
        canPlay = problem == nil
        self.problem = problem
        answer(problem)
      }
    }
  }

  private func cannotPlay(_ sound: String) {
    guard let ring = playing?.first.ring, ring != unplayable else { return }
    unplayable = ring
    log(.soundUnplayable(number: playing?.first.number ?? 0, sound: sound))
  }

  private func ended(_ problem: String?) {
    playing = nil
    self.problem = problem
    canPlay = problem == nil
    if let problem {
      // Another alarm's sound may be there.
      if problem != SoundPlayer.noSound {
        next = nil
        resting = clock.read().monotonic + Self.pause
      }
      if said.insert(problem).inserted { log(.notHeard(reason: problem)) }
    }
    begin()
  }
}

package struct SoundSettings: Hashable, Sendable {
  /// Of alarms without a sound of their own.
  package var usual = AlarmSound.usual
  /// How long a sound is repeated; zero for once.
  package var lasting = TimeSpan.seconds(30)
  /// Whether it begins at half volume.
  package var fadesIn = true

  /// What ``lasting`` may be, besides zero.
  package static let bounds = TimeSpan.seconds(1)...TimeSpan.seconds(600)
}
