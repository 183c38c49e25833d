import Dispatch
import Ringing

/// When what rang is given to the store. On the queue, all of it.
extension SchedulerLoop {
  /// How long the record of a ring waits for the bubble: dbus-daemon and the notification server have the processors
  /// until then, and that it was shown is stored with it.
  private static let bubblePatience = DispatchTimeInterval.milliseconds(3)
  /// How long it waits for journald.
  private static let journalPatience = DispatchTimeInterval.milliseconds(500)

  /// Of thousands that ring at once none waits for the processor while the first are recorded. For a journald that stalls
  /// the first of them waits ``journalPatience``, and those after it as if it were idle.
  func recordInTurn() {
    let isBusy = journal.isBusy
    if !isBusy { isJournaldStalled = false }
    guard isBusy, !isJournaldStalled else { return recordAfterBubble() }
    journal.whenWritten { [self] in queue.async { [self] in record() } }
    queue.asyncAfter(deadline: .now() + Self.journalPatience) { [self] in
      guard !outgoing.isEmpty, journal.isBusy else { return }
      isJournaldStalled = true
      record()
    }
  }

  private func recordAfterBubble() {
    guard !scheduler.awaitsRecords else { return record() }
    guard !awaitsBubble else { return }
    awaitsBubble = true
    queue.asyncAfter(deadline: .now() + Self.bubblePatience) { [self] in record() }
  }

  /// Whether something rang that is not known to be recorded. On the queue.
  package var awaitsRecord: Bool { scheduler.awaitsRecord }

  /// What rang is given to the store, whatever journald does.
  package func record() {
    awaitsBubble = false
    outgoing.record(in: store)
  }

  /// Writes down what became of rings, not before their records: else there were nothing to mark. Also after ``stop()``.
  package func mark(_ marks: [RingMark]) { outgoing.mark(marks, in: store) }
}
