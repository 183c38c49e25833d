import Alarms
import Dispatch
import EggTime
import GRDB
import Ringing

/// Moves what waits on the clocks of earlier boots to the wall clock. Confined to the store's queue.
final class EarlierBoots: @unchecked Sendable {
  private let file: StoreFile
  private let context: StoreContext
  /// Alarms so far.
  private var moved = 0
  private let whenDone: () -> Void

  /// Rows per transaction.
  private static let movedAtOnce = 1_000

  /// - Parameter whenDone: Called on the store's queue when nothing is left to move.
  init(_ file: StoreFile, _ context: StoreContext, whenDone: @escaping () -> Void) {
    self.file = file
    self.context = context
    self.whenDone = whenDone
  }

  /// The next batch follows all other queued work.
  func moveNext() {
    dispatchPrecondition(condition: .onQueue(context.queue))
    guard file.isWritable else { return }
    do {
      var moments: [AlarmMoments] = []
      try file.inTransaction { moments = try self.move(context.tables($0)) }
      moved += moments.count
      if moments.isEmpty {
        if moved > 0 { context.log(.movedBoots(alarms: moved)) }
        moved = 0
        whenDone()
      } else {
        context.listeners.deliver(.changed(moments))
        context.queue.async { self.moveNext() }
      }
    } catch {
      context.queue.asyncAfter(deadline: .now() + .seconds(60)) { self.moveNext() }
    }
  }

  private func move(_ tables: Tables) throws -> [AlarmMoments] {
    let (database, clocks) = (tables.database, tables.clocks)
    let inUse = try DueRows.clocksInUse(database)
    guard let clock = inUse.first(where: { clocks.earlier[$0] != nil }) else {
      try database.execute(
        sql: """
          DELETE FROM boot WHERE id NOT IN (SELECT value FROM json_each(?)) AND id <> ? AND id NOT IN (
            SELECT doneClock FROM alarm WHERE doneDue IS NOT NULL
            UNION SELECT iif(due IS NULL, doneClock, clock) FROM alarm_image
              WHERE due IS NOT NULL OR doneDue IS NOT NULL
            UNION SELECT clock FROM occurrence_image WHERE due IS NOT NULL)
          """,
        arguments: [inUse.map(\.rawValue).jsonList, clocks.current.rawValue])
      return []
    }
    var numbers: Set<Int64> = []
    for (table, number) in [("alarm", "number"), ("occurrence", "alarm")] {
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT rowid, \(number), due FROM main.\(table) WHERE clock = ? AND due IS NOT NULL ORDER BY due LIMIT ?
          """,
        arguments: [clock.rawValue, Self.movedAtOnce - numbers.count])
      let move = try database.cachedStatement(
        sql: "UPDATE main.\(table) SET clock = 0, due = ? WHERE rowid = ?")
      for row in rows {
        let due = clocks.present(DuePoint(clock: clock, microseconds: int(row, 2) ?? 0))
        try move.execute(arguments: [due.microseconds, int(row, 0)])
        if let number = int(row, 1) { numbers.insert(number) }
      }
    }
    return try numbers.sorted().map { try AlarmMoments($0, in: tables) }
  }
}
