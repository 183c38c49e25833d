import Alarms
import EggTime
import GRDB
import Ringing

/// Moves many alarms in slices, the last of them first.
extension MoveChange: SlicedChange {
  /// nil also where neighbours have to make room.
  func walk(in database: Database) throws -> (any SliceWalk)? {
    selection.mayBeMany ? try MoveWalk(selection, to: place, in: database) : nil
  }

  func narrowed(to numbers: [Int64]) -> any Change { self }

  func apply(
    to slice: Slice, of walk: any SliceWalk, in transaction: StoreTransaction, for request: ChangeRequest
  ) throws -> SliceOutcome {
    guard let walk = walk as? MoveWalk else { return SliceOutcome() }
    // Those without a place were added, or moved out of the walk's way: they are the last.
    let late = try transaction.inOrder(slice.numbers.filter { slice.places[$0] == nil })
    try transaction.step(slice.numbers, moves: false) {
      let move = try transaction.database.cachedStatement(
        sql: "UPDATE main.alarm SET position = ?, modifiedAt = ? WHERE number = ?")
      for number in slice.numbers {
        guard let place = slice.places[number] else { continue }
        try move.run([place, request.readAt.wall.microseconds, number])
      }
      for (number, place) in zip(late, walk.latePlaces(late.count)) {
        try move.run([place, request.readAt.wall.microseconds, number])
      }
      return []
    }
    return SliceOutcome(changed: slice.numbers)
  }
}

/// Goes through the alarms of a selection from the end of the list, and gives them places.
struct MoveWalk: SliceWalk {
  let parts = ChangeUnderWay.Parts.movesAlarms
  private let numbers: NumberSet
  private(set) var missing: [Int64] = []
  private(set) var missingIDs: [AlarmID] = []
  /// The first position of all.
  private let first: Int64
  /// Before this one.
  private var next: (position: Int64, number: Int64)
  /// The places are between these two positions, each so far before the next.
  private var gap: (low: Int64, high: Int64)
  private var spacing: Int64
  private var taken: Int64 = 0

  /// Alarms per look.
  private static let lookedAtOnce = 8_192

  init?(_ selection: Selection, to place: Place, in database: Database) throws {
    let edges = try database.cachedStatement(
      sql: """
        SELECT (SELECT position FROM alarm ORDER BY position LIMIT 1),
          (SELECT position FROM alarm ORDER BY position DESC LIMIT 1),
          (SELECT min(number) FROM alarm), (SELECT max(number) FROM alarm)
        """
    ).first([]) { row in (int(row, 0), int(row, 1), int(row, 2), int(row, 3)) }
    guard let edges, let first = edges.0, let last = edges.1, let lowest = edges.2, let highest = edges.3
    else { return nil }
    numbers = try NumberSet(selection, in: database)
    self.first = first
    next = (last, .max)
    // At most so many are moved.
    let most = NumberSet(
      ranges: numbers.ranges.filter { $0.overlaps(lowest...highest) }.map { $0.clamped(to: lowest...highest) }
    ).count
    let far = StoreTransaction.farPosition
    let (length, isTooLong) = StoreTransaction.positionStep.multipliedReportingOverflow(by: most.successor)
    guard !isTooLong, length < far, (-far...far).contains(first), (-far...far).contains(last) else {
      return nil
    }
    switch place {
    case .top: gap = (first - length, first)
    case .bottom: gap = (last, last + length)
    case .before(let other), .after(let other):
      guard !numbers.contains(other), let found = try Self.gap(at: place, other, in: database) else {
        return nil
      }
      gap = (found.low ?? (found.high ?? 0) - length, found.high ?? (found.low ?? 0) + length)
    }
    spacing = (gap.high - gap.low) / most.successor
    guard spacing > 0 else { return nil }
    try findMissing(selection, in: database)
  }

  /// Between that alarm and its neighbour, which may be moved too.
  private static func gap(
    at place: Place, _ other: Int64, in database: Database
  ) throws -> (low: Int64?, high: Int64?)? {
    let find = try database.cachedStatement(sql: "SELECT position FROM alarm WHERE number = ?")
    guard let position = try Int64.fetchOne(find, arguments: [other]) else { return nil }
    let isBefore = if case .before = place { true } else { false }
    let order = isBefore ? "DESC" : ""
    let neighbour = try Int64.fetchOne(
      try database.cachedStatement(
        sql: """
          SELECT position FROM alarm WHERE (position, number) \(isBefore ? "<" : ">") (?, ?)
          ORDER BY position \(order), number \(order) LIMIT 1
          """), arguments: [position, other])
    let far = StoreTransaction.farPosition
    guard (-far...far).contains(neighbour ?? 0) else { return nil }
    return isBefore ? (neighbour, position) : (position, neighbour)
  }

  private mutating func findMissing(_ selection: Selection, in database: Database) throws {
    let exists = try database.cachedStatement(sql: "SELECT 1 FROM alarm WHERE number = ?")
    missing = try Set(selection.numbers).sorted().filter {
      try Int64.fetchOne(exists, arguments: [$0]) == nil
    }
    let byID = try database.cachedStatement(sql: "SELECT 1 FROM alarm WHERE id = ?")
    for id in selection.ids where try Int64.fetchOne(byID, arguments: [id.description]) == nil {
      if !missingIDs.contains(id) { missingIDs.append(id) }
    }
  }

  func includes(_ number: Int64) -> Bool { numbers.contains(number) }

  mutating func next(atMost count: Int, in database: Database) throws -> Slice? {
    let rows = try database.cachedStatement(
      sql: """
        SELECT position, number FROM alarm WHERE (position, number) < (?, ?) AND position >= ?
        ORDER BY position DESC, number DESC LIMIT ?
        """
    ).rows([next.position, next.number, first, Self.lookedAtOnce])
    var slice: Slice?
    while slice?.numbers.count ?? 0 < count, let row = try rows.next() {
      slice = slice ?? Slice(numbers: [])
      guard let position = int(row, 0), let number = int(row, 1) else { continue }
      next = (position, number)
      // What is in the gap was moved.
      guard numbers.contains(number), position <= gap.low || position >= gap.high else { continue }
      taken += 1
      slice?.numbers.append(number)
      slice?.places[number] = gap.high - taken * spacing
    }
    slice?.numbers.sort()
    return slice
  }

  /// After all others.
  func latePlaces(_ count: Int) -> [Int64] {
    let last = gap.high - spacing
    return (0..<Int64(count)).map { last + min(($0 + 1) * max(spacing / Int64(count + 1), 1), spacing - 1) }
  }
}
