import Alarms
import EggTime
import GRDB
import Ringing

/// Slices that do not count.
extension StoreTransaction {
  /// Runs a slice: its images go to that holder.
  ///
  /// - Parameter first: Occurrences from this key on belong to the change.
  func asSlice(_ holder: Int64, from first: Int64, _ body: () throws -> Void) throws {
    let (mark, outer, whole) = (underWay, recording, log)
    // Within this transaction its rows count.
    (underWay, isSlice) = (nil, true)
    recording = Recording(images: Images(database: database, holder: holder), from: first)
    defer {
      // Nobody is told of a slice.
      (underWay, isSlice, recording, log) = (mark, false, outer, whole)
    }
    try body()
  }

  /// Counts a change of which everybody hears that all may be different.
  func countAsMany(changesGroups: Bool = false) {
    log.touchesAll = true
    log.sequence = log.sequence.successor
    log.changes.append(
      CommittedChanges(sequence: log.sequence, alarms: nil, changesGroups: changesGroups))
  }

  /// Gives alarms the rows that they had before the change under way, where it has changed them. It looks at them again.
  /// What concerns an alarm beside that change comes after this.
  func takeBack(_ numbers: NumberSet) throws {
    guard let underWay else { return }
    let imaged = try database.cachedStatement(
      sql: "SELECT place FROM alarm_image WHERE holder = ? AND side = 0 AND place BETWEEN ? AND ?")
    let found = try numbers.ranges.flatMap {
      try Int64.fetchAll(imaged, arguments: [underWay.holder, $0.lowerBound, $0.upperBound])
    }
    slices?.touch(found)
    try slices?.keepPlaces(of: found, in: database)
    try takeBack(found, underWay.holder)
  }

  /// Takes some of it back, where nobody goes on with it.
  ///
  /// - Returns: Whether there is more.
  func takeBackSome(atMost count: Int) throws -> Bool {
    guard let underWay else { return false }
    let next = try Int64.fetchAll(
      try database.cachedStatement(
        sql: "SELECT place FROM alarm_image WHERE holder = ? AND side = 0 ORDER BY place LIMIT ?"),
      arguments: [underWay.holder, count])
    try takeBack(next, underWay.holder)
    if next.count < count { try ChangeUnderWay.set(nil, in: database) }
    return next.count == count
  }

  private static let restored = AlarmColumn.list(AlarmColumn.allCases.filter { $0 != .number })

  private func takeBack(_ numbers: [Int64], _ holder: Int64) throws {
    for number in numbers {
      for sql in Self.takingBack { try database.cachedStatement(sql: sql).run([holder, number]) }
      log.fresh[number] = nil
    }
  }

  /// Of an alarm that another program has deleted nothing comes back.
  private static let takingBack =
    [
      """
      UPDATE main.alarm SET (\(restored)) =
        (SELECT \(restored) FROM alarm_image WHERE holder = ?1 AND side = 0 AND place = ?2)
      WHERE number = ?2
      """,
      """
      DELETE FROM occurrence WHERE alarm = ?2
        AND id IN (SELECT id FROM occurrence_image WHERE holder = ?1 AND side = 1 AND place = ?2)
      """,
      """
      INSERT OR IGNORE INTO occurrence (\(OccurrenceColumn.list()))
      SELECT \(OccurrenceColumn.list()) FROM occurrence_image WHERE holder = ?1 AND side = 0 AND place = ?2
        AND EXISTS (SELECT 1 FROM main.alarm WHERE number = ?2)
      """,
    ]
    + ["alarm_image", "occurrence_image"].flatMap { table in
      ["0", "1"].map { "DELETE FROM \(table) WHERE holder = ?1 AND side = \($0) AND place = ?2" }
    }
}
