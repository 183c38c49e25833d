import Alarms
import EggTime

/// A ring as people hear of it: in the journal and in a bubble.
package struct Notice: Equatable, Sendable {
  /// The occurrence's key.
  package var occurrence: Int64
  package var number: Int64
  package var card: AlarmCard
  package var dueAt: Instant
  /// How long after that the moment is that it is a lead of.
  package var ahead: TimeSpan
  /// How late it is when it is shown, in µs as all spans.
  package var lateness: TimeSpan
  package var reason: LateReason?
  /// The number of elapses of a recurring alarm that it stands for.
  package var elapsed: Int64
  /// The last of several; nil where that is not known.
  package var lastAt: Instant?
  package let ring: RingID
  /// The bubble it had before eggd was started, and the unique name of the server that showed it.
  package var shown: ShownBubble?
  /// Nobody could show it when it rang.
  package var lacksServer = false
  /// It was snoozed before: other occurrences of its alarm may ring too.
  package var endsSnooze: Bool
  /// What it says where the alarm has no words of its own: those that held when it rang.
  package var words: RingWords
  /// Why a command of it did not start; nil where none failed to.
  package var hookProblem: String?

  /// A bubble that some server gave an id.
  package struct ShownBubble: Hashable, Sendable {
    package var id: UInt32
    package var server: String

    package init(id: UInt32, server: String) {
      self.id = id
      self.server = server
    }
  }

  /// - Parameter lateness: How late it fired.
  package init(
    occurrence: Int64, number: Int64, card: AlarmCard, dueAt: Instant, ahead: TimeSpan = .zero,
    lateness: TimeSpan,
    reason: LateReason?, elapsed: Int64 = 1, lastAt: Instant? = nil,
    shown: ShownBubble? = nil,
    endsSnooze: Bool = false, words: RingWords = .standard
  ) {
    self.words = words
    self.endsSnooze = endsSnooze
    self.elapsed = elapsed
    self.lastAt = lastAt
    self.occurrence = occurrence
    self.number = number
    self.card = card
    self.dueAt = dueAt
    self.ahead = ahead
    self.lateness = lateness
    self.reason = reason
    self.shown = shown
    ring = RingID(occurrence: occurrence, firedAt: dueAt + lateness)
  }
}

extension Notice {
  /// Of a ring that has just begun.
  package init(_ ring: Ring, words: RingWords = .standard) {
    let record = ring.record
    self.init(
      occurrence: record.occurrence, number: record.key.number, card: ring.card, dueAt: record.dueAt,
      ahead: record.ahead, lateness: record.lateness, reason: record.reason, elapsed: record.elapsed,
      lastAt: 2...Recurrence.mostCounted ~= record.elapsed ? record.lastAt : nil,
      endsSnooze: record.key.occurrence != 0, words: words)
  }
}

extension Notice {
  /// As it is when a text with it is on a screen for the first time: so late is it then. A clock set back makes nothing
  /// early.
  func shown(at moment: Instant) -> Notice {
    let waited = moment - dueAt
    guard shown == nil, waited > lateness, waited > .seconds(1), ring.firedAt <= moment else { return self }
    var copy = self
    copy.reason = reason ?? (lacksServer ? .noServer : nil)
    copy.lateness = waited
    return copy
  }
}

/// What the desktop's side tells the daemon; on the scheduler's queue.
package enum NotifierReport: Equatable, Sendable {
  /// A server took a bubble for these rings, in the order of their occurrences. For a bubble that was reported before, only
  /// the rings that have joined it.
  case shown([RingID], bubble: UInt32, server: String, at: Instant)
  /// The person's choice on the bubble of these, in the order of their numbers. Closing it means dismissing.
  case chosen(BubbleChoice, [Notice])
}
