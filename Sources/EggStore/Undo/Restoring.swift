import Alarms
import EggTime
import GRDB
import Ringing

/// Turns images into rows: what a change deleted, or what an import creates.
struct Restoring {
  let tables: Tables
  let images: Images
  let now: ClockReading
  /// The images name groups instead of holding their keys.
  var isImport = false
  /// The positions follow this one, in the order of the places; nil where the images have their positions.
  var positionsFrom: Int64?
  private var database: Database { tables.database }

  /// What ``reinsert(_:)`` made.
  struct Restored {
    var numbers = NumberSet([])
    /// Alarms whose identity exists.
    var existed: Int64 = 0
    /// Those that missed their moments.
    var missed: [Int64] = []
    /// The last number given.
    fileprivate var lastNumber: Int64
  }

  /// The select list from the images `i`; ?2 is the first place, with number ?3 and position ?4.
  private var columns: String {
    AlarmColumn.allCases.map { column in
      switch column {
      case .group where isImport: #"(SELECT id FROM alarm_group WHERE name = i."group")"#
      case .number: "?3 + (place - ?2)"
      case .position where positionsFrom != nil: "?4 + \(Positions.step) * (place - ?2)"
      default: "i.\"\(column.name)\""
      }
    }.joined(separator: ", ")
  }

  /// Alarms per statement: enough that the statements themselves cost little, few enough for their lists.
  private static let restoredAtOnce = 2_048

  /// Restores the alarms at these places, ascending, with their occurrences. Skips an alarm whose identity exists.
  func reinsert(_ places: [Int64]) throws -> Restored {
    var restored = Restored(lastNumber: try lastNumber())
    let hasOccurrences = try images.hasOccurrences()
    for start in stride(from: 0, to: places.count, by: Self.restoredAtOnce) {
      let numbers = try giveNumbers(
        to: Array(places[start...].prefix(Self.restoredAtOnce)), &restored)
      try insert(numbers, hasOccurrences: hasOccurrences)
      let made = numbers.map(\.number)
      restored.numbers.add(NumberSet(made))
      restored.missed += try CatchingUp(tables: tables, now: now)
        .bringToPresent(made, haveOccurrences: hasOccurrences, areImported: isImport)
    }
    return restored
  }

  private func insert(_ numbers: [(place: Int64, number: Int64)], hasOccurrences: Bool) throws {
    // If one row fails, all do: OR FAIL spares SQLite the copies of pages by which it would undo this statement alone.
    let insert = try database.cachedStatement(
      sql: """
        INSERT OR FAIL INTO alarm (\(AlarmColumn.list()))
        SELECT \(columns) FROM alarm_image i
        WHERE holder = ?1 AND side = 0 AND place BETWEEN ?2 AND \(positionsFrom == nil ? "?4" : "?5")
        """)
    // Places and numbers that go up side by side are one statement.
    var rest = numbers[...]
    while let first = rest.first {
      let run = rest.enumerated().prefix {
        $1.place == first.place &+ Int64($0) && $1.number == first.number &+ Int64($0)
      }
      let last = run.last?.element.place ?? first.place
      let position = positionsFrom.map { [$0 + Positions.step * first.place] } ?? []
      try insert.run([images.holder, first.place, first.number] + position + [last])
      rest = rest.dropFirst(run.count)
    }
    guard hasOccurrences else { return }
    for (place, number) in numbers { try images.reinsertOccurrences(place, of: number) }
  }

  /// Above all numbers that are taken, now or by the images.
  private func lastNumber() throws -> Int64 {
    let last = try database.number("SELECT seq FROM sqlite_sequence WHERE name = 'alarm'") ?? 0
    let imaged = try database.number(
      """
      SELECT max(number) FROM alarm_image i WHERE holder = ? AND side = 0
        AND NOT EXISTS (SELECT 1 FROM alarm WHERE number = i.number)
      """, [images.holder])
    return max(last, imaged ?? 0)
  }

  /// Gives each of these alarms a number of its own, and the first one with a key that key. Skips alarms whose
  /// identities exist.
  private func giveNumbers(
    to places: [Int64], _ restored: inout Restored
  ) throws -> [(place: Int64, number: Int64)] {
    let rows = try database.rows(
      """
      SELECT i.place, i.number, i.id, EXISTS (SELECT 1 FROM alarm WHERE number = i.number),
        EXISTS (SELECT 1 FROM alarm WHERE id = i.id), i.key, EXISTS (SELECT 1 FROM alarm WHERE key = i.key)
      FROM alarm_image i WHERE holder = ? AND side = 0 AND place IN (SELECT value FROM json_each(?)) ORDER BY place
      """, [images.holder, places.jsonList])
    var given: [(place: Int64, number: Int64)] = []
    var numberless: [Int64] = []
    var numbers: Set<Int64> = []
    var identities: Set<AlarmID> = []
    var keys: Set<String> = []
    var keyless: [Int64] = []
    while let row = try rows.next() {
      // An invalid UUID was the alarm's own identity, and unique there.
      let id = text(row, 2).flatMap { AlarmID($0) }
      guard let place = int(row, 0) else { continue }
      guard int(row, 4) == 0, id.map({ identities.insert($0).inserted }) ?? true else {
        restored.existed += 1
        continue
      }
      if let number = int(row, 1), int(row, 3) == 0, numbers.insert(number).inserted {
        given.append((place, number))
      } else {
        numberless.append(place)
      }
      if let key = text(row, 5), int(row, 6) == 1 || !keys.insert(key).inserted { keyless.append(place) }
    }
    let key = try database.cachedStatement(
      sql:
        "UPDATE alarm_image SET key = NULL, keyedRequest = NULL WHERE holder = ? AND side = 0 AND place = ?")
    for place in keyless { try key.run([images.holder, place]) }
    for place in numberless {
      restored.lastNumber = restored.lastNumber.successor
      given.append((place, restored.lastNumber))
    }
    return given.sorted { $0.place < $1.place }
  }
}
