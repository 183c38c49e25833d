import Alarms
import EggTime
import GRDB
import Ringing

/// A change that deletes alarms, besides little else. Many are found in slices before it, and hidden by it.
protocol DeletingChange: Change {
  /// The walk through the alarms that it deletes; nil if it is to be made as one.
  func deletionWalk(in database: Database) throws -> (any SliceWalk)?
  /// nil if the change is to find them itself.
  var deletion: Deletion? { get set }
  /// Whether it depends on what becomes of an alarm if that one is deleted.
  var hasCondition: Bool { get }
  /// Whether it still deletes this one.
  func deletes(_ number: Int64, in transaction: StoreTransaction) throws -> Bool
}

extension DeletingChange {
  var hasCondition: Bool { false }
  func deletes(_ number: Int64, in transaction: StoreTransaction) -> Bool { true }
}

/// The alarms that a large change is going to delete, and what their history is. Found in slices, other changes go in
/// between.
///
/// Confined to the store's queue, hence `@unchecked Sendable`.
final class Deletion: @unchecked Sendable {
  private(set) var walk: any SliceWalk
  private(set) var numbers = NumberSet([])
  /// Those that had rung for the last time when they were found.
  private var rung: [Int64] = []
  /// Their last occurrences that are history then.
  private var history: [Int64] = []
  /// What others have changed since.
  private var touched: Set<Int64> = []
  /// The number from which on it was not looked for other alarms yet.
  private var next = Int64.min
  private var others = false
  private let hasCondition: Bool
  private var listed = Int64.min
  private var phase = Phase.walking

  private enum Phase {
    case walking, lookingForOthers, listing
  }

  enum Progress {
    case more
    case few
    case ready
  }

  /// Alarms per look at those between.
  private static let lookedAtOnce = 8_192

  /// nil if it is to be made as one.
  init?(of change: some DeletingChange, in database: Database) throws {
    guard try !HiddenAlarms.areLeft(in: database), let walk = try change.deletionWalk(in: database) else {
      return nil
    }
    (self.walk, hasCondition) = (walk, change.hasCondition)
  }

  /// Whether the next step writes.
  var isListing: Bool { phase == .listing }

  func touch(_ numbers: some Sequence<Int64>) { touched.formUnion(numbers) }

  /// What the change needs to hold: also what others have changed since, which may be deleted with the rest.
  var held: NumberSet {
    var held = numbers
    held.add(NumberSet(touched.sorted()))
    return held
  }

  /// - Parameter fewest: That are hidden.
  func advance(fewest: Int, atMost count: Int, in database: Database) throws -> Progress {
    switch phase {
    case .walking: return try find(fewest: fewest, atMost: count, in: database)
    case .lookingForOthers: return try lookForOthers(in: database)
    case .listing: return try list(in: database)
    }
  }

  private func find(fewest: Int, atMost count: Int, in database: Database) throws -> Progress {
    guard let slice = try walk.next(atMost: count, in: database) else {
      guard numbers.count >= fewest, let range else { return .few }
      (phase, next) = (.lookingForOthers, range.lowerBound)
      return .more
    }
    guard !slice.numbers.isEmpty else { return .more }
    numbers.add(NumberSet(slice.numbers.filter { !numbers.contains($0) }))
    rung += try Self.rung(slice.numbers.jsonList, in: database)
    history += try Self.history(slice.numbers.jsonList, in: database)
    if history.count > 2 * StoreTransaction.mostKept {
      history = Array(history.sorted().suffix(StoreTransaction.mostKept))
    }
    return .more
  }

  private static func rung(_ list: String, in database: Database) throws -> [Int64] {
    try Int64.fetchAll(
      try database.cachedStatement(
        sql: """
          SELECT a.number \(AlarmRows.from)
          WHERE a.number IN (SELECT value FROM json_each(?)) AND a.state = 'over' AND o.outcome = 'rung'
          """), arguments: [list])
  }

  private static func history(_ list: String, in database: Database) throws -> [Int64] {
    try Int64.fetchAll(
      try database.cachedStatement(
        sql: """
          SELECT id FROM occurrence
          WHERE alarm IN (SELECT value FROM json_each(?)) AND outcome IN ('rung', 'missed')
          """), arguments: [list])
  }

  private var range: ClosedRange<Int64>? {
    guard let first = numbers.ranges.first, let last = numbers.ranges.last else { return nil }
    return first.lowerBound...last.upperBound
  }

  /// Alarms that stay between those that go.
  private func lookForOthers(in database: Database) throws -> Progress {
    guard let range else { return .few }
    // One that stays after all can be taken off the list.
    guard !hasCondition else {
      (others, phase) = (true, .listing)
      return .more
    }
    let found = try Int64.fetchAll(
      try database.cachedStatement(
        sql: "SELECT number FROM main.alarm WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?"),
      arguments: [next, range.upperBound, Self.lookedAtOnce])
    if found.contains(where: { !numbers.contains($0) }) {
      (others, phase) = (true, .listing)
      return .more
    }
    guard found.count == Self.lookedAtOnce, let last = found.last else { return .ready }
    next = last + 1
    return .more
  }

  /// Without effect yet.
  private func list(in database: Database) throws -> Progress {
    let page = numbers.numbers(after: listed, limit: Self.lookedAtOnce)
    try HiddenAlarms.list(page, in: database)
    listed = page.last ?? .max
    return page.count == Self.lookedAtOnce ? .more : .ready
  }

  /// Deletes them, all at once.
  ///
  /// - Returns: Their numbers, and those that rang before.
  func apply(
    _ change: some DeletingChange, in transaction: StoreTransaction, at now: Instant
  ) throws -> (deleted: [Int64], rang: [Int64]) {
    guard let range else { return ([], []) }
    let database = transaction.database
    let exists = try database.cachedStatement(sql: "SELECT 1 FROM alarm WHERE number = ?")
    let changed = touched.filter { numbers.contains($0) }
    let going = try touched.filter { number in
      try (changed.contains(number) || walk.includes(number))
        && Int64.fetchOne(exists, arguments: [number]) != nil && change.deletes(number, in: transaction)
    }
    let stay = changed.subtracting(going)
    let late = going.subtracting(changed).sorted()
    let deleted = numbers.ranges.joined().filter { !stay.contains($0) } + late
    let rang = try rung.filter { !changed.contains($0) } + Self.rung(going.sorted().jsonList, in: database)
    // That of the late ones is kept as they are deleted.
    let changedList = changed.sorted().jsonList
    let past = Set(try history + Self.history(changedList, in: database)).sorted()
      .suffix(StoreTransaction.mostKept)
    try transaction.keepHistory(
      of: "o.id IN (SELECT value FROM json_each(?2)) AND o.alarm NOT IN (SELECT value FROM json_each(?3))",
      [Array(past).jsonList, stay.sorted().jsonList], at: now)
    try transaction.recording?.images.take(alarms: late, .before, occurrencesFrom: .min)
    try transaction.delete(late, at: now)
    if hasCondition { try HiddenAlarms.unlist(stay.sorted(), in: database) }
    try transaction.hide(HiddenAlarms(range: range, areListed: others), count: Int64(deleted.count))
    return (deleted.sorted(), rang.sorted())
  }
}
