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

  /// Numbers of the alarms between two, ascending.
  static let between = "SELECT number FROM alarm a WHERE number BETWEEN ? AND ?"
  /// Only those that ring or are snoozed: few among many, so the others are not read.
  static let openBetween = """
    SELECT DISTINCT alarm FROM occurrence INDEXED BY occurrence_open
    WHERE outcome = 'rung' AND dismissedAt IS NULL AND alarm BETWEEN ? AND ? ORDER BY alarm
    """

  /// Only those that meet a condition on alarm `a`, ascending.
  static func candidates(_ condition: String) -> String {
    "\(between) AND (\(condition)) ORDER BY number"
  }

  /// - Parameter others: SQL for the candidates between two numbers that are not named; nil for all alarms.
  init(_ selection: Selection, in database: Database, others sql: String? = nil) throws {
    var found: Set<Int64> = []
    let exists = try database.cachedStatement(sql: "SELECT number FROM alarm WHERE number = ?")
    for number in Set(selection.numbers).sorted() {
      if try Int64.fetchOne(exists, arguments: [number]) != nil {
        found.insert(number)
      } else {
        missing.append(number)
      }
    }
    let byID = try database.cachedStatement(sql: "SELECT number FROM alarm WHERE id = ?")
    for id in selection.ids {
      if let number = try Int64.fetchOne(byID, arguments: [id.description]) {
        found.insert(number)
      } else if !missingIDs.contains(id) {
        missingIDs.append(id)
      }
    }
    named = found.sorted()
    let ranges = selection.all ? [Int64.min...Int64.max] : NumberSet(ranges: selection.ranges).ranges
    let between = try database.cachedStatement(sql: sql ?? Self.between + " ORDER BY number")
    for range in ranges {
      let numbers = try Int64.fetchCursor(between, arguments: [range.lowerBound, range.upperBound])
      while let number = try numbers.next() { if !found.contains(number) { others.append(number) } }
    }
    guard named.isEmpty, others.isEmpty, !selection.all else { return }
    let any = try database.cachedStatement(sql: Self.between + " LIMIT 1")
    for range in ranges {
      if try Int64.fetchOne(any, arguments: [range.lowerBound, range.upperBound]) != nil { return }
    }
    throw ChangeError.noSuchAlarm(numbers: missing, ids: missingIDs)
  }
}

extension NumberSet {
  /// All alarms that the selection means; may also contain numbers without alarms.
  init(_ selection: Selection, in database: Database) throws {
    guard !selection.all else {
      self = .all
      return
    }
    let byID = try database.cachedStatement(sql: "SELECT number FROM alarm WHERE id = ?")
    let named =
      try selection.numbers
      + selection.ids.compactMap { try Int64.fetchOne(byID, arguments: [$0.description]) }
    self.init(ranges: selection.ranges + named.map { $0...$0 })
  }
}
