import Alarms
import EggTime
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

  package func isKept(for client: ChangeClient) -> Bool { client == .bubble }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    let all = try NumberSet(selection, in: transaction.database)
    let snoozed = try transaction.database.cachedStatement(
      sql: "SELECT alarm FROM occurrence WHERE due IS NOT NULL")
    return AffectedAlarms(all: all, holding: try Int64.fetchAll(snoozed).filter(all.contains))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.change(self) { numbers in
      try transaction.step(numbers) {
        let shown = numbers.filter { seen[$0] != nil }
        for number in shown {
          try transaction.endRinging([number], upTo: seen[number] ?? .max, at: request.readAt.wall)
        }
        try transaction.endRinging(numbers.filter { seen[$0] == nil }, at: request.readAt.wall)
        try transaction.settle(numbers, at: request.readAt.wall)
        return []
      }
      return numbers
    }
  }
}
