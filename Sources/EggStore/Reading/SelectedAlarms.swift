import Alarms
import GRDB
import Ringing

/// The alarms that a ``Selection`` means in the present database.
struct SelectedAlarms {
  /// Ascending.
  var named: [Int64] = []
  /// Only in a range or in `all`; ascending, disjoint from `named`.
  var others: [Int64] = []
  var missing: [Int64] = []
  var missingIDs: [AlarmID] = []

  /// Named ones first.
  var numbers: [Int64] { named + others }

  init(_ selection: Selection, _ candidates: Candidates = .all, in database: Database) throws {
    var found: Set<Int64> = []
    for number in Set(selection.numbers).sorted() {
      if try database.has("SELECT number FROM alarm WHERE number = ?", [number]) {
        found.insert(number)
      } else {
        missing.append(number)
      }
    }
    for id in selection.ids {
      if let number = try database.number(of: id) {
        found.insert(number)
      } else if !missingIDs.contains(id) {
        missingIDs.append(id)
      }
    }
    named = found.sorted()
    let others = selection.all ? .all : NumberSet(ranges: selection.ranges)
    self.others = try candidates.numbers(in: others, database).filter { !found.contains($0) }
    guard numbers.isEmpty, !selection.all else { return }
    let any = Candidates.all.sql + " LIMIT 1"
    for range in selection.ranges where try database.has(any, [range.lowerBound, range.upperBound]) { return }
    throw ChangeError.noSuchAlarm(numbers: missing, ids: missingIDs)
  }
}

/// SQL for the numbers of the alarms between two that a change can change, ascending.
struct Candidates {
  fileprivate let sql: String

  static let all = Candidates("true")

  /// - Parameter condition: On alarm `a`.
  init(_ condition: String) {
    sql = "SELECT number FROM alarm a WHERE number BETWEEN ? AND ? AND (\(condition)) ORDER BY number"
  }

  /// Those that ring, and those that are snoozed: few among many, so the others are not read.
  static let open = Candidates(open: "true")
  static let ringing = Candidates(open: "snoozedUntil IS NULL")

  private init(open condition: String) {
    sql = """
      SELECT DISTINCT alarm FROM occurrence INDEXED BY occurrence_open
      WHERE outcome = 'rung' AND dismissedAt IS NULL AND alarm BETWEEN ? AND ? AND \(condition) ORDER BY alarm
      """
  }

  func contain(_ number: Int64, in database: Database) throws -> Bool {
    try database.has(sql, [number, number])
  }

  func numbers(in numbers: NumberSet, _ database: Database) throws -> [Int64] {
    try numbers.ranges.flatMap { try database.numbers(sql, [$0.lowerBound, $0.upperBound]) }
  }
}

extension NumberSet {
  /// All alarms that the selection means; may also contain numbers without alarms.
  init(_ selection: Selection, in database: Database) throws {
    guard !selection.all else {
      self = .all
      return
    }
    let named = try selection.numbers + selection.ids.compactMap(database.number(of:))
    self.init(ranges: selection.ranges + named.map { $0...$0 })
  }
}

extension Database {
  /// The number of the alarm with that identity; nil for none.
  func number(of id: AlarmID) throws -> Int64? {
    try number("SELECT number FROM alarm WHERE id = ?", [id.description])
  }
}
