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
    var outcome = ChangeOutcome(selected)
    let numbers = try order.inOrder(selected.numbers)
    guard !numbers.isEmpty else { return outcome }
    let places = try order.places(for: numbers, at: place)
    let neighbours = Set(places.map(\.number)).subtracting(numbers)
    try transaction.step(numbers.sorted() + neighbours.sorted(), moves: false) {
      try order.write(places, moved: Set(numbers), at: request.readAt.wall)
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

  typealias Placed = (number: Int64, position: Int64)

  static func end(after last: Int64) -> Int64 {
    let (sum, overflow) = last.addingReportingOverflow(step)
    return overflow ? last : sum
  }

  /// - Parameter moved: The alarms that were to move. The others only make room.
  func write(_ places: [Placed], moved: Set<Int64>, at moment: Instant) throws {
    for (number, position) in places {
      try database.run(
        "UPDATE alarm SET position = ?, modifiedAt = coalesce(?, modifiedAt) WHERE number = ?",
        [position, moved.contains(number) ? moment.microseconds : nil, number])
    }
  }

  func inOrder(_ numbers: [Int64]) throws -> [Int64] {
    try database.numbers(
      "SELECT number FROM alarm WHERE number IN (SELECT value FROM json_each(?)) ORDER BY position, number",
      [numbers.jsonList])
  }

  /// Positions for these alarms, and new ones for the neighbours that make room.
  func places(for numbers: [Int64], at place: Place) throws -> [Placed] {
    let moving = Set(numbers)
    let cut = try cut(at: place, moving)
    var reach = 1
    while true {
      var before = try neighbours(of: cut, ascending: false, without: moving, reach)
      var after = try neighbours(of: cut, ascending: true, without: moving, reach)
      // The outermost keep their positions, unless they end the list.
      let low = before.count == reach ? before.removeLast().position : nil
      let high = after.count == reach ? after.removeLast().position : nil
      let all = before.reversed().map(\.number) + numbers + after.map(\.number)
      if let positions = Self.positions(all.count, between: low, and: high) {
        return zip(all, positions).map { ($0, $1) }
      }
      reach = reach == 1 ? Self.neighbours / 2 : reach * 4
    }
  }

  /// Before or after a row of the list.
  private typealias Cut = (row: Placed, isAfter: Bool)

  private func cut(at place: Place, _ moving: Set<Int64>) throws -> Cut {
    func row(_ number: Int64) throws -> Placed {
      let position = try database.number("SELECT position FROM alarm WHERE number = ?", [number])
      guard let position else { throw ChangeError.noSuchAlarm(numbers: [number], ids: []) }
      guard !moving.contains(number) else { throw ChangeError.wrongPlace(number: number) }
      return (number, position)
    }
    return switch place {
    case .top: ((.min, .min), false)
    case .bottom: ((.max, .max), true)
    case .before(let other): (try row(other), false)
    case .after(let other): (try row(other), true)
    }
  }

  /// The next alarms before or after the cut, nearest first.
  private func neighbours(
    of cut: Cut, ascending: Bool, without moving: Set<Int64>, _ limit: Int
  ) throws -> [Placed] {
    let sign = (ascending ? ">" : "<") + (ascending == cut.isAfter ? "" : "=")
    let direction = ascending ? "" : "DESC"
    let rows = try database.rows(
      """
      SELECT number, position FROM alarm WHERE (position, number) \(sign) (?, ?)
      ORDER BY position \(direction), number \(direction)
      """, [cut.row.position, cut.row.number])
    var found: [Placed] = []
    while found.count < limit, let row = try rows.next() {
      guard let number = int(row, 0), let position = int(row, 1), !moving.contains(number) else { continue }
      found.append((number, position))
    }
    return found
  }

  /// Ascending positions strictly between two; nil if there is no room.
  private static func positions(_ count: Int, between low: Int64?, and high: Int64?) -> [Int64]? {
    let parts = Int64(count + 1)
    let usual = parts * step
    if low == nil, let high, high < .min + usual { return nil }
    if high == nil, let low, low > .max - usual { return nil }
    let start = low ?? (high ?? usual) - usual
    let (width, isWide) = (high ?? start + usual).subtractingReportingOverflow(start)
    let each = (isWide ? .max : width) / parts
    return each > 0 ? (1..<parts).map { start + $0 * each } : nil
  }
}
