import Alarms
import EggTime
import GRDB
import Ringing

/// A change of many alarms on its way. It is made in slices, each a transaction of its own, and other changes go in
/// between. Meanwhile everybody sees the alarms as they were before it:
///
/// * `schedule.changing` names the images that the slices take. Readers show them in place of the rows
///   (``RowsBefore``), and so does the head (``DueRows``).
/// * A change that another client makes meanwhile, and a ring, first takes back what a slice has done to its alarms
///   (``StoreTransaction/takeBack(_:)``). They are looked at again at the end.
/// * The last transaction takes the mark away: from then on the rows count. If eggd ends before that, or the change
///   fails, all slices are taken back, out of sight too.
///
/// Confined to the store's queue, hence `@unchecked Sendable`.
final class Slices: @unchecked Sendable {
  let change: any SlicedChange
  let request: ChangeRequest
  /// nil until it is known that they are many.
  private(set) var holder: Int64?
  /// The walk from its start.
  private let first: any SliceWalk
  private(set) var walk: any SliceWalk
  private var isWalked = false
  private var surveyed: [Int64] = []
  /// Those that it was applied to.
  private(set) var seen = NumberSet([])
  /// Those that it changed, but for ``unchanged``.
  private var changed = NumberSet([])
  /// Others changed these meanwhile, after which it does not.
  private var unchanged: Set<Int64> = []
  /// Those that missed their moments by it.
  private(set) var missed: Set<Int64> = []
  /// The new places of those that were taken back.
  private var places: [Int64: Int64] = [:]
  /// What others have changed since.
  private(set) var touched: Set<Int64> = []

  enum Progress {
    case more
    /// They are few: this change does the same, as one.
    case few(any Change)
    /// This change shows all of it.
    case ready(any Change)
  }

  /// nil if it is to be made as one.
  init?(_ change: any SlicedChange, for request: ChangeRequest, in database: Database) throws {
    guard let walk = try change.walk(in: database) else { return nil }
    (self.change, self.request, self.walk, first) = (change, request, walk, walk)
  }

  var isSurveying: Bool { holder == nil }

  /// Takes the next look, without any effect.
  ///
  /// - Parameter fewest: That are changed in slices.
  func survey(fewest: Int, atMost count: Int, in database: Database) throws -> Progress {
    if let slice = try walk.next(atMost: count, in: database) {
      surveyed += slice.numbers
    } else {
      return .few(change.narrowed(to: surveyed))
    }
    guard surveyed.count >= fewest, let walk = try change.walk(again: first, in: database) else {
      return .more
    }
    (self.walk, surveyed) = (walk, [])
    holder = try Images.newHolder(in: database)
    return .more
  }

  /// Changes the next slice.
  func advance(atMost count: Int, in transaction: StoreTransaction) throws -> Progress {
    guard let holder else { return .more }
    let database = transaction.database
    let mark = try ChangeUnderWay.of(database)
    // Another file, for example.
    guard mark == nil ? seen.isEmpty : mark?.holder == holder else { throw Spoiled() }
    if mark == nil {
      try ChangeUnderWay.set(
        ChangeUnderWay(holder: holder, parts: walk.parts), in: database)
    }
    if !isWalked {
      guard let slice = try walk.next(atMost: count, in: database) else {
        isWalked = true
        return .more
      }
      try apply(slice, in: transaction)
      return .more
    }
    let again = touched.sorted().prefix(count)
    try lookAgain(at: Array(again), in: transaction)
    touched.subtract(again)
    // The last few go with the last transaction.
    return touched.count <= count ? .ready(change.finished(self)) : .more
  }

  private func apply(_ slice: Slice, in transaction: StoreTransaction) throws {
    guard !slice.numbers.isEmpty, let holder else { return }
    var outcome = SliceOutcome()
    try transaction.asSlice(holder, from: change.firstOccurrence(request)) {
      outcome = try change.apply(to: slice, of: walk, in: transaction, for: request)
    }
    missed.subtract(slice.numbers)
    missed.formUnion(outcome.missed)
    let numbers = Set(outcome.changed)
    unchanged.formUnion(slice.numbers.filter { changed.contains($0) && !numbers.contains($0) })
    unchanged.subtract(numbers)
    changed.add(NumberSet(numbers.filter { !changed.contains($0) }))
    seen.add(NumberSet(slice.numbers.filter { !seen.contains($0) }))
  }

  /// Changes those again that others have changed since.
  private func lookAgain(at numbers: [Int64], in transaction: StoreTransaction) throws {
    guard let holder else { return }
    let look = try transaction.database.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM main.alarm WHERE number = ?1),
          EXISTS (SELECT 1 FROM alarm_image WHERE holder = ?2 AND side = 0 AND place = ?1)
        """)
    var left: [Int64] = []
    for number in numbers where walk.includes(number) {
      let found = try look.first([number, holder]) { (exists: int($0, 0) == 1, isImaged: int($0, 1) == 1) }
      // One that still has its image was not taken back: what was to change it failed.
      guard let found, !found.isImaged else { continue }
      if found.exists { left.append(number) } else if changed.contains(number) { unchanged.insert(number) }
    }
    try apply(Slice(numbers: left, places: places), in: transaction)
  }

  /// Another client changed these, or is about to.
  func touch(_ numbers: some Sequence<Int64>) { touched.formUnion(numbers) }

  /// These are about to be taken back.
  func keepPlaces(of numbers: [Int64], in database: Database) throws {
    guard walk.parts.contains(.movesAlarms) else { return }
    let place = try database.cachedStatement(sql: "SELECT position FROM main.alarm WHERE number = ?")
    for number in numbers { places[number] = try Int64.fetchOne(place, arguments: [number]) }
  }

  /// The last step.
  ///
  /// - Returns: How many it changed, and the first of them.
  func finish(in transaction: StoreTransaction) throws -> (changed: Int64, first: [Int64]) {
    touch(try change.late(in: transaction))
    try lookAgain(at: touched.sorted(), in: transaction)
    try ChangeUnderWay.set(nil, in: transaction.database)
    transaction.underWay = nil
    return (
      changed.count - Int64(unchanged.count),
      changed.first(StoreTransaction.outcomeAlarms).filter { !unchanged.contains($0) }
    )
  }

  /// What was done so far is of no use.
  struct Spoiled: Error {}
}

/// The mark of a change that is under way.
struct ChangeUnderWay: Equatable {
  /// Of its images.
  var holder: Int64
  var parts: Parts

  /// What it may do besides giving alarms and occurrences other values: readers have to look harder then.
  struct Parts: OptionSet {
    var rawValue: Int64
    static let deletesOccurrences = Parts(rawValue: 1)
    static let movesAlarms = Parts(rawValue: 2)
  }

  /// nil for none.
  static func of(_ database: Database) throws -> ChangeUnderWay? {
    try database.cachedStatement(sql: "SELECT changing, changingParts FROM schedule").first([]) { row in
      int(row, 0).map { ChangeUnderWay(holder: $0, parts: Parts(rawValue: int(row, 1) ?? 0)) }
    } ?? nil
  }

  static func set(_ mark: ChangeUnderWay?, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE schedule SET changing = ?, changingParts = ?").run([
      mark?.holder, mark?.parts.rawValue,
    ])
  }
}

/// Shows all slices of a change at once.
struct FinishedSlices: Change {
  let slices: Slices

  var kind: ChangeKind? { slices.change.kind }
  var label: String? { slices.change.label }

  func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    var numbers = slices.seen
    if let selection = slices.change.selected {
      numbers = selection.all ? .all : NumberSet(ranges: numbers.ranges + selection.ranges)
    }
    return AffectedAlarms(holding: numbers)
  }

  func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    var outcome = ChangeOutcome(sequence: 0)
    let (changed, first) = try slices.finish(in: transaction)
    (outcome.missing, outcome.missingIDs) = (slices.walk.missing, slices.walk.missingIDs)
    outcome.changed = changed
    outcome.alarms = try first.compactMap { try transaction.alarm($0) }
    try slices.change.complete(in: transaction)
    transaction.recording?.count += changed
    transaction.recording?.isUsed = true
    transaction.countAsMany(changesGroups: slices.change.changesGroups)
    return outcome
  }
}
