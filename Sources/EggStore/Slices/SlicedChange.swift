import Alarms
import EggTime
import GRDB
import Ringing

/// A change that gives alarms other values, each for itself. Of many alarms it is made in slices, see ``Slices``.
protocol SlicedChange: Change {
  /// The walk through the alarms that it may change; nil if it is to be made as one.
  func walk(in database: Database) throws -> (any SliceWalk)?
  /// The walk from its start, once it is known that they are many.
  ///
  /// - Parameter first: It, as it was before.
  func walk(again first: any SliceWalk, in database: Database) throws -> (any SliceWalk)?
  /// The first occurrence key that belongs to the change.
  func firstOccurrence(_ request: ChangeRequest) -> Int64
  /// The same change as one, where only these few alarms can change.
  func narrowed(to numbers: [Int64]) -> any Change
  /// Changes a slice of that walk.
  func apply(
    to slice: Slice, of walk: any SliceWalk, in transaction: StoreTransaction, for request: ChangeRequest
  ) throws -> SliceOutcome
  /// Alarms that it may change and that the walk may have passed by, at the end.
  func late(in transaction: StoreTransaction) throws -> [Int64]
  /// What it changes besides alarms, at the end.
  func complete(in transaction: StoreTransaction) throws
  var changesGroups: Bool { get }
  /// The change that shows all slices at once.
  func finished(_ slices: Slices) -> any Change
}

extension SlicedChange {
  func walk(again first: any SliceWalk, in database: Database) throws -> (any SliceWalk)? {
    try walk(in: database)
  }
  func firstOccurrence(_ request: ChangeRequest) -> Int64 { request.readAt.wall.microseconds }
  func late(in transaction: StoreTransaction) -> [Int64] { [] }
  func complete(in transaction: StoreTransaction) {}
  var changesGroups: Bool { false }
  func finished(_ slices: Slices) -> any Change { FinishedSlices(slices: slices) }
}

/// A few alarms of many.
struct Slice {
  /// Ascending; all of them exist.
  var numbers: [Int64]
  /// The caller named them: one that does not allow the change has it refused.
  var areNamed = false
  /// Where in the list they go, if the change moves them.
  var places: [Int64: Int64] = [:]
}

/// The numbers of the alarms of a slice.
struct SliceOutcome {
  var changed: [Int64] = []
  /// They missed their moments.
  var missed: [Int64] = []
}

/// Goes through the alarms that a change may change. A value: a copy goes through them again.
protocol SliceWalk {
  /// The next ones, at most so many, possibly none; nil after the last.
  mutating func next(atMost count: Int, in database: Database) throws -> Slice?
  /// Whether the change may change that alarm, which the walk has passed.
  func includes(_ number: Int64) -> Bool
  /// Named ones that do not exist.
  var missing: [Int64] { get }
  var missingIDs: [AlarmID] { get }
  var parts: ChangeUnderWay.Parts { get }
}

extension SliceWalk {
  var parts: ChangeUnderWay.Parts { [] }
}

/// A change of selected alarms.
protocol SelectingChange: SlicedChange {
  var selection: Selection { get set }
  /// SQL for the numbers of the alarms between two that it may change, ascending.
  var candidates: String { get }
}

extension SelectingChange {
  package var selected: Selection? { selection }
  package var takesTurn: Bool { selection.mayBeMany }

  func walk(in database: Database) -> (any SliceWalk)? {
    selection.mayBeMany ? SelectionWalk(selection, candidates: candidates) : nil
  }

  func narrowed(to numbers: [Int64]) -> any Change {
    // To a range without alarms belongs an error.
    numbers.isEmpty ? self : NarrowedChange(change: self, numbers: numbers)
  }

  func apply(
    to slice: Slice, of walk: any SliceWalk, in transaction: StoreTransaction, for request: ChangeRequest
  ) throws -> SliceOutcome {
    var change = self
    change.selection =
      slice.areNamed
      ? Selection(numbers: slice.numbers) : Selection(ranges: NumberSet(slice.numbers).ranges)
    return SliceOutcome(changed: try change.apply(in: transaction, for: request).numbers)
  }
}

/// A change of selected alarms, of which few can change: it spares the look at all the others.
private struct NarrowedChange: Change {
  let change: any SelectingChange
  let numbers: [Int64]

  var kind: ChangeKind? { change.kind }
  var label: String? { change.label }
  var selected: Selection? { change.selection }

  func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    try change.affected(in: transaction)
  }

  func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    var few = change
    let named = Set(few.selection.numbers)
    // Those whose rings were recorded just now can change too.
    let others = (numbers + transaction.recorded.map(\.key.number)).filter {
      !named.contains($0) && change.selection.includes($0)
    }
    (few.selection.all, few.selection.ranges) = (false, NumberSet(others).ranges)
    return try few.apply(in: transaction, for: request)
  }
}

extension Selection {
  /// By a range or by `all`.
  fileprivate func includes(_ number: Int64) -> Bool { all || ranges.contains { $0.contains(number) } }

  /// Whether it can mean more than a few alarms.
  var mayBeMany: Bool {
    all
      || Int64(numbers.count + ids.count).addingReportingOverflow(NumberSet(ranges: ranges).count)
        .partialValue
        > Int64(StoreTransaction.fewAlarms)
      || NumberSet(ranges: ranges).count == .max
  }
}

/// Named alarms first, then the others that can change.
struct SelectionWalk: SliceWalk {
  private let candidates: String
  private var numbers: ArraySlice<Int64>
  private var ids: ArraySlice<AlarmID>
  private var ranges: ArraySlice<ClosedRange<Int64>>
  private let all: NumberSet
  private var named: Set<Int64> = []
  private(set) var missing: [Int64] = []
  private(set) var missingIDs: [AlarmID] = []

  /// Alarms per look: some milliseconds where none of them can change.
  private static let lookedAtOnce = 8_192

  init(_ selection: Selection, candidates: String) {
    self.candidates = candidates
    numbers = Set(selection.numbers).sorted()[...]
    ids = selection.ids[...]
    all = selection.all ? .all : NumberSet(ranges: selection.ranges)
    ranges = all.ranges[...]
  }

  func includes(_ number: Int64) -> Bool { named.contains(number) || all.contains(number) }

  mutating func next(atMost count: Int, in database: Database) throws -> Slice? {
    if !numbers.isEmpty || !ids.isEmpty { return try nextNamed(atMost: count, in: database) }
    guard let range = ranges.popFirst() else { return nil }
    let seen = try Int64.fetchOne(
      try database.cachedStatement(
        sql: """
          SELECT max(number) FROM (SELECT number FROM main.alarm WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?)
          """), arguments: [range.lowerBound, range.upperBound, Self.lookedAtOnce])
    guard let seen else { return Slice(numbers: []) }
    let found = try Int64.fetchAll(
      try database.cachedStatement(sql: candidates + " LIMIT ?"), arguments: [range.lowerBound, seen, count])
    let last = found.count < count ? seen : found.last ?? seen
    if last < range.upperBound { ranges = [(last + 1)...range.upperBound] + ranges }
    return Slice(numbers: named.isEmpty ? found : found.filter { !named.contains($0) })
  }

  private mutating func nextNamed(atMost count: Int, in database: Database) throws -> Slice {
    var found: Set<Int64> = []
    let exists = try database.cachedStatement(sql: "SELECT number FROM alarm WHERE number = ?")
    for number in numbers.prefix(count) {
      if try Int64.fetchOne(exists, arguments: [number]) != nil {
        found.insert(number)
      } else {
        missing.append(number)
      }
    }
    numbers = numbers.dropFirst(count)
    if found.isEmpty {
      let byID = try database.cachedStatement(sql: "SELECT number FROM alarm WHERE id = ?")
      for id in ids.prefix(count) {
        if let number = try Int64.fetchOne(byID, arguments: [id.description]) {
          found.insert(number)
        } else if !missingIDs.contains(id) {
          missingIDs.append(id)
        }
      }
      ids = ids.dropFirst(count)
    }
    found.subtract(named)
    named.formUnion(found)
    return Slice(numbers: found.sorted(), areNamed: true)
  }
}
