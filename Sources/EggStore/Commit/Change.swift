import Alarms
import EggTime
import GRDB
import Ringing

/// A change that a command or a bubble requests, with its limits checked and its expression read. Each is one
/// file in `Changes`, `Import` or `Undo`.
package protocol Change: Sendable {
  /// Its name in undo; nil if it cannot be undone.
  var kind: ChangeKind? { get }
  /// It writes one row with one statement and reads none afterwards, so it needs no savepoint. A savepoint
  /// would have SQLite copy each changed page to a temporary file.
  var isOneStatement: Bool { get }
  /// Whether it may be about more than a few alarms.
  var mayBeOfMany: Bool { get }
  /// Its label in undo, if no alarm or group in the outcome gives one.
  var label: String? { get }

  /// The alarms that must not ring unnoticed while the change is judged; nil for none.
  func affected(in transaction: StoreTransaction) throws -> AffectedAlarms?
  /// Makes the change if the rows allow it. Throws a ``ChangeError`` and leaves the rows to the savepoint.
  func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome
}

extension Change {
  package var isOneStatement: Bool { false }
  package var mayBeOfMany: Bool { false }
  package var label: String? { nil }
  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? { nil }
}

protocol SelectingChange: Change {
  var selection: Selection { get }
  var candidates: Candidates { get }
  /// Those of the selected alarms that it may take from their moments.
  func held(of all: NumberSet, in database: Database) throws -> NumberSet
}

extension SelectingChange {
  package var mayBeOfMany: Bool { selection.mayBeMany }

  func held(of all: NumberSet, in database: Database) -> NumberSet { all }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    let all = try NumberSet(selection, in: transaction.database)
    return (all, try held(of: all, in: transaction.database))
  }
}

/// A change and the moment when its call was read, which becomes `createdAt` or `modifiedAt`.
package struct ChangeRequest: Sendable {
  package var change: any Change
  package var readAt: ClockReading
  package var client: ChangeClient
  /// The client's process, for the journal.
  package var processID: Int32?

  package init(
    _ change: any Change, readAt: ClockReading, client: ChangeClient = ChangeClient(name: nil, session: nil),
    processID: Int32? = nil
  ) {
    self.client = client
    self.processID = processID
    self.change = change
    self.readAt = readAt
  }
}

/// The union of the numbers, ids, ranges and `all`. The reply names missing `numbers` and `ids`; missing
/// numbers in `ranges` are ignored.
package struct Selection: Sendable {
  package var numbers: [Int64]
  package var ids: [AlarmID]
  package var ranges: [ClosedRange<Int64>]
  package var all: Bool

  package init(
    numbers: [Int64] = [], ids: [AlarmID] = [], ranges: [ClosedRange<Int64>] = [], all: Bool = false
  ) {
    self.numbers = numbers
    self.ids = ids
    self.ranges = ranges
    self.all = all
  }

  /// Whether it can mean more than one alarm.
  var mayBeMany: Bool { all || !ranges.isEmpty || numbers.count + ids.count > 1 }
}

/// The change needs to know which of `all` have rung. It takes those in `held` from their moments: none of them may ring
/// meanwhile.
package typealias AffectedAlarms = (all: NumberSet, held: NumberSet)

/// The program that requested a change.
package struct ChangeClient: Hashable, Sendable {
  /// nil if unknown.
  package var name: String?
  /// Its session (setsid(2)), shared by all commands of one shell.
  package var session: Int64?

  package init(name: String?, session: Int64?) {
    self.name = name
    self.session = session
  }

  /// The user, on a notification.
  package static let bubble = ChangeClient(name: "a notification", session: nil)

  /// eggd itself, for that setting.
  package static let keepOver = ChangeClient(name: "keep-over", session: nil)
}
