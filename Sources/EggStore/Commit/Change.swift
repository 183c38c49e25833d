import Alarms
import EggTime
import Ringing

/// A change of the schedule, as a command or a bubble asks for it: checked against the limits, its expression read. Each is
/// one file in `Changes`, `Import` or `Undo`.
package protocol Change: Sendable {
  /// What undo calls it; nil for what can't be undone.
  var kind: ChangeKind? { get }
  /// It writes one row by one statement and reads none afterwards: a savepoint would only have SQLite copy each page that
  /// this changes to a temporary file.
  var isOneStatement: Bool { get }
  /// What undo says that it takes back, where no alarm or group in the outcome says it.
  var label: String? { get }
  /// Whether that client's change is kept until it can be stored: there is nobody who could be told to try again.
  func isKept(for client: ChangeClient) -> Bool

  /// The alarms that may ring while it is judged; nil where there are none.
  func affected(in transaction: StoreTransaction) throws -> AffectedAlarms?
  /// Judges it by the rows as they are and makes it. Throws a ``ChangeError`` that leaves the rows to the savepoint.
  func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome
}

extension Change {
  package var isOneStatement: Bool { false }
  package var label: String? { nil }
  package func isKept(for client: ChangeClient) -> Bool { false }
  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? { nil }
}

/// A change with the moment at which its call was read, which becomes `createdAt` or `modifiedAt`.
package struct ChangeRequest: Sendable {
  package var change: any Change
  package var readAt: ClockReading
  /// Who asked for it.
  package var client: ChangeClient

  package init(
    _ change: any Change, readAt: ClockReading, client: ChangeClient = ChangeClient(name: nil, session: nil)
  ) {
    self.client = client
    self.change = change
    self.readAt = readAt
  }
}

/// Which alarms a change is about: the union of all four. Those of `numbers` and `ids` that do not exist are
/// named in the reply; a number of `ranges` that does not exist is passed over.
package struct Selection: Sendable {
  package var numbers: [Int64]
  package var ids: [AlarmID]
  package var ranges: [ClosedRange<Int64>]
  package var all: Bool

  /// All fields.
  package init(
    numbers: [Int64] = [], ids: [AlarmID] = [], ranges: [ClosedRange<Int64>] = [], all: Bool = false
  ) {
    self.numbers = numbers
    self.ids = ids
    self.ranges = ranges
    self.all = all
  }
}

/// Whom a change is about.
package struct AffectedAlarms {
  /// Of these it has to be known whether they have rung.
  package var all: NumberSet
  /// From these it takes what they wait for: they must not ring meanwhile. nil where there are none.
  package var held: NumberSet?

  package init(holding all: NumberSet) { (self.all, held) = (all, all) }

  /// - Parameter held: Of `all`.
  package init(all: NumberSet, holding held: [Int64] = []) {
    (self.all, self.held) = (all, held.isEmpty ? nil : NumberSet(held))
  }
}
