import Alarms
import GRDB
import Ringing

/// Dismisses ringing or snoozed alarms.
package struct DismissChange: SelectingChange {
  package var selection: Selection
  /// Each alarm's last occurrence on its bubble: later rings belong to another bubble.
  package var seen: [Int64: Int64]

  package init(_ selection: Selection, seen: [Int64: Int64] = [:]) {
    self.selection = selection
    self.seen = seen
  }

  package var kind: ChangeKind? { .dismiss }
  var candidates: Candidates { .open }

  func held(of all: NumberSet, in database: Database) throws -> NumberSet {
    let waiting = try database.numbers(
      "SELECT alarm FROM occurrence WHERE due IS NOT NULL UNION \(OccurrenceTable.waitingForAnswer)")
    return NumberSet(waiting.filter(all.contains))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt.wall)
    return try transaction.change(self) { numbers in
      try transaction.step(numbers) {
        for (last, numbers) in Dictionary(grouping: numbers, by: { seen[$0] ?? .max }) {
          try tables.occurrences.endRinging(numbers, upTo: last, at: now)
        }
        try tables.alarms.settle(numbers, at: now)
      }
      return numbers
    }
  }
}

/// Snoozes ringing alarms until `until`.
package struct SnoozeChange: SelectingChange {
  package var selection: Selection
  package var until: DuePoint
  /// A civil time that names that moment: the snooze follows its zone.
  package var timing: Timing?
  /// Each alarm's last occurrence on its bubble: later rings belong to another bubble.
  package var seen: [Int64: Int64]
  /// Whether its bubble is back, so that nothing is to be snoozed any more.
  package var isOver: @Sendable () -> Bool

  package init(
    _ selection: Selection, until: DuePoint, _ timing: Timing? = nil, seen: [Int64: Int64] = [:],
    isOver: @escaping @Sendable () -> Bool = { false }
  ) {
    self.selection = selection
    self.until = until
    self.timing = timing
    self.seen = seen
    self.isOver = isOver
  }

  package var kind: ChangeKind? { .snooze }
  var candidates: Candidates { .ringing }

  func held(of all: NumberSet, in database: Database) throws -> NumberSet {
    NumberSet(try database.numbers(OccurrenceTable.waitingForAnswer).filter(all.contains))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    guard !isOver() else { return ChangeOutcome() }
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.change(self) { ringing in
      let numbers = try ringing.filter { number in
        try seen[number].map { try tables.occurrences.isRinging(number, upTo: $0) } ?? true
      }
      guard !numbers.isEmpty else { return [] }
      try transaction.step(numbers) {
        // The zone may have changed since the request was read.
        let settled = try timing.map { try tables.resolver.settled($0, due: until, at: now.wall) }
        let end = settled?.1 ?? until
        for (last, numbers) in Dictionary(grouping: numbers, by: { seen[$0] ?? .max }) {
          try tables.occurrences.snooze(
            numbers, upTo: last, until: end, end: tables.wall(end, now), settled?.0, at: now.wall)
        }
        try tables.alarms.reopen(numbers)
      }
      return numbers
    }
  }
}

/// Sets or clears the done mark. It cancels what a one-shot waits for. On a recurring alarm it marks the last
/// occurrence, until the next one rings.
package struct MarkDoneChange: SelectingChange {
  package var selection: Selection
  package var done: Bool

  package init(_ selection: Selection, _ done: Bool) {
    self.selection = selection
    self.done = done
  }

  package var kind: ChangeKind? { done ? .done : .undone }
  var candidates: Candidates { Candidates(done ? "doneAt IS NULL" : "doneAt IS NOT NULL") }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.change(self, keepsOthers: true) { numbers in
      try transaction.step(numbers) {
        if done {
          try tables.occurrences.endRinging(numbers, at: now.wall)
          try tables.alarms.setDone(numbers, at: now.wall)
        } else {
          let oneShots = try tables.alarms.clearDone(numbers)
          try tables.alarms.settle(numbers, at: now.wall)
          _ = try CatchingUp(tables: tables, now: now).bringToPresent(oneShots)
        }
        try tables.alarms.noteChange(numbers, at: now.wall)
      }
      return numbers
    }
  }
}
