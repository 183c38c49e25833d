import Alarms
import EggTime
import GRDB

/// Places alarms next to each other, keeping their order.
package struct MoveChange: SelectingChange {
  package var selection: Selection
  package var place: Place

  package init(_ selection: Selection, _ place: Place) {
    self.selection = selection
    self.place = place
  }

  package var kind: ChangeKind? { .move }
  var candidates: Candidates { .all }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? { nil }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let order = Positions(database: transaction.database)
    let selected = try SelectedAlarms(selection, in: transaction.database)
    var outcome = ChangeOutcome()
    outcome.missing = selected.missing
    outcome.missingIDs = selected.missingIDs
    let numbers = try order.inOrder(selected.numbers)
    guard !numbers.isEmpty else { return outcome }
    switch place {
    case .before(let other), .after(let other):
      guard try order.position(of: other) != nil else {
        throw ChangeError.noSuchAlarm(numbers: [other], ids: [])
      }
      guard !numbers.contains(other) else { throw ChangeError.wrongPlace(number: other) }
    case .top, .bottom: break
    }
    let gap = try order.gap(at: place, without: Set(numbers), for: numbers.count)
    try transaction.step(numbers.sorted() + gap.moved.map(\.number).sorted(), moves: false) {
      try order.write(gap, for: numbers, at: request.readAt.wall)
    }
    outcome.changed = Int64(numbers.count)
    outcome.alarms = try transaction.tables.alarms.read(firstOf: numbers.sorted())
    return outcome
  }
}

package enum Place: Hashable, Sendable {
  case top
  case bottom
  case before(Int64)
  case after(Int64)
}

/// The order of the list. Positions are in steps of 2^20; a move takes the middle of a gap.
struct Positions {
  let database: Database

  /// Between neighbours in the list.
  static let step: Int64 = 1 << 20
  /// How many neighbours get new positions when a gap is used up.
  private static let neighbours = 1_000

  typealias Neighbour = (number: Int64, position: Int64)
  /// Positions for alarms, and new ones for the neighbours that make room.
  typealias Gap = (places: [Int64], moved: [Neighbour])

  static func end(after last: Int64) -> Int64 {
    let (sum, overflow) = last.addingReportingOverflow(step)
    return overflow ? last : sum
  }

  func write(_ gap: Gap, for numbers: [Int64], at moment: Instant) throws {
    let put = try database.cachedStatement(sql: "UPDATE alarm SET position = ? WHERE number = ?")
    for (number, position) in gap.moved { try put.execute(arguments: [position, number]) }
    let move = try database.cachedStatement(
      sql: "UPDATE alarm SET position = ?, modifiedAt = ? WHERE number = ?")
    for (number, position) in zip(numbers, gap.places) {
      try move.execute(arguments: [position, moment.microseconds, number])
    }
  }

  func inOrder(_ numbers: [Int64]) throws -> [Int64] {
    try numbers.map { (try position(of: $0) ?? 0, $0) }.sorted { $0 < $1 }.map(\.1)
  }

  func position(of number: Int64) throws -> Int64? {
    try database.number("SELECT position FROM alarm WHERE number = ?", [number])
  }

  func gap(at place: Place, without moving: Set<Int64>, for count: Int) throws -> Gap {
    var reach = 1
    while true {
      let before = try neighbours(of: place, ascending: false, without: moving, reach)
      let after = try neighbours(of: place, ascending: true, without: moving, reach)
      // The outermost keep their positions, unless they end the list.
      let low = before.count == reach ? before.last : nil
      let high = after.count == reach ? after.last : nil
      let inner = before.dropLast(low == nil ? 0 : 1).reversed() + after.dropLast(high == nil ? 0 : 1)
      let split = before.count - (low == nil ? 0 : 1)
      if let places = Self.places(inner.count + count, between: low?.position, and: high?.position) {
        let mine = Array(places[split..<split + count])
        let others = places[..<split] + places[(split + count)...]
        return (mine, zip(inner, others).map { ($0.number, $1) })
      }
      reach = reach == 1 ? Self.neighbours / 2 : reach * 4
    }
  }

  /// The next alarms before or after that place, nearest first.
  private func neighbours(
    of place: Place, ascending: Bool, without moving: Set<Int64>, _ limit: Int
  ) throws -> [Neighbour] {
    var start: (position: Int64, number: Int64)?
    var isIncluded = false
    switch place {
    case .top:
      guard ascending else { return [] }
    case .bottom:
      guard !ascending else { return [] }
    case .before(let other):
      start = (try position(of: other) ?? 0, other)
      isIncluded = ascending
    case .after(let other):
      start = (try position(of: other) ?? 0, other)
      isIncluded = !ascending
    }
    let edge: (Int64, Int64) = ascending ? (.min, .min) : (.max, .max)
    let from = start.map { ($0.position, $0.number) } ?? edge
    let sign = ascending ? ">" : "<"
    let direction = ascending ? "" : "DESC"
    let rows = try Row.fetchCursor(
      try database.cachedStatement(
        sql: """
          SELECT number, position FROM alarm WHERE (position, number) \(sign)\(isIncluded || start == nil ? "=" : "")
            (?, ?) ORDER BY position \(direction), number \(direction)
          """), arguments: [from.0, from.1])
    var found: [Neighbour] = []
    while found.count < limit, let row = try rows.next() {
      guard let number = int(row, 0), let position = int(row, 1), !moving.contains(number) else { continue }
      found.append((number, position))
    }
    return found
  }

  /// Ascending positions strictly between two; nil if there is no room.
  private static func places(_ count: Int, between low: Int64?, and high: Int64?) -> [Int64]? {
    let length = Int64(count + 1)
    switch (low, high) {
    case (nil, nil): return (1..<length).map { $0 * step }
    case (let low?, nil):
      guard !low.addingReportingOverflow(length * step).overflow else { return nil }
      return (1..<length).map { low + $0 * step }
    case (nil, let high?):
      guard !high.subtractingReportingOverflow(length * step).overflow else { return nil }
      return (1..<length).map { high - (length - $0) * step }
    case (let low?, let high?):
      let (width, overflow) = high.subtractingReportingOverflow(low)
      let each = (overflow ? Int64.max : width) / length
      guard each > 0 else { return nil }
      return (1..<length).map { low + $0 * each }
    }
  }
}
