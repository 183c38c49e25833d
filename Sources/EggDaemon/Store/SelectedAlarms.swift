import Alarms
import GRDB

/// Which alarms a ``Selection`` means in the database as it is.
struct SelectedAlarms {
  /// Named by number or id, ascending.
  var named: [Int64] = []
  /// Merely in a range, or among all; ascending, none of `named`.
  var others: [Int64] = []
  var missing: [Int64] = []
  var missingIDs: [AlarmID] = []

  /// All of them, named ones first.
  var numbers: [Int64] { named + others }

  init(_ selection: Selection, in database: Database) throws {
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
    let between = try database.cachedStatement(
      sql: "SELECT number FROM alarm WHERE number BETWEEN ? AND ? ORDER BY number")
    for range in ranges {
      let numbers = try Int64.fetchCursor(between, arguments: [range.lowerBound, range.upperBound])
      while let number = try numbers.next() { if !found.contains(number) { others.append(number) } }
    }
    guard named.isEmpty, others.isEmpty, !selection.all else { return }
    throw ChangeError.noSuchAlarm(numbers: missing, ids: missingIDs)
  }
}

extension NumberSet {
  /// Every alarm that the selection means, and at most numbers that no alarm has.
  init(_ selection: Selection, named: [Int64]) {
    self = selection.all ? .all : NumberSet(ranges: selection.ranges + named.map { $0...$0 })
  }
}
