import Alarms
import EggStore
import Ringing

/// What rang and is not given to the store yet, and what became of it. Marks do not go before the records: else there
/// were nothing to mark.
package struct OutgoingRings {
  private var records: [RingRecord] = []
  private var marks: [RingMark] = []
  /// Of rings whose records are still to come.
  private var early: [RingMark] = []

  /// Nothing.
  package init() {}

  /// Whether there is nothing to record.
  package var isEmpty: Bool { records.isEmpty }

  /// These rang.
  package mutating func append(_ records: [RingRecord]) {
    self.records += records
    marks += early
    early = []
  }

  /// This became of rings whose records follow.
  package mutating func append(marks: [RingMark]) { early += marks }

  /// This became of rings, of these or of earlier ones; given to the store at once where nothing waits.
  package mutating func mark(_ marks: [RingMark], in store: AlarmStore) {
    if isEmpty { store.mark(marks) } else { self.marks += marks }
  }

  /// Gives it all to the store.
  package mutating func record(in store: AlarmStore) {
    guard !isEmpty else { return }
    store.record(records, marks: marks)
    records = []
    marks = []
  }
}
