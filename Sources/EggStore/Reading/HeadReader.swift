import Dispatch
import GRDB
import Ringing

/// Reads for the scheduler, in step with the commits. Confined to the store's queue.
final class HeadReader: @unchecked Sendable {
  private let file: StoreFile
  private let context: StoreContext
  /// Called before the first head is told: alarms can ring from now on.
  var whenFirst: () -> Void = {}
  private var hasRead = false
  /// Rings from before this start are not told to the bubbles yet.
  private var owesRings = false
  private var retry = RetryDelay()

  init(_ file: StoreFile, _ context: StoreContext) {
    self.file = file
    self.context = context
  }

  /// Reads the head and tells the scheduler.
  ///
  /// - Returns: false if it cannot be read.
  @discardableResult
  func read(_ size: Refill.Size = .usual) -> Bool {
    dispatchPrecondition(condition: .onQueue(context.queue))
    do {
      // The scheduler asks for more.
      let head = try file.read { try context.head($0, hasRead ? size : .first) }
      if !hasRead {
        hasRead = true
        file.database.patience.settle()
        whenFirst()
      }
      context.listeners.deliver(.refilled(head))
      return true
    } catch {
      if file.salvageIfCorrupt(error) { return true }
      context.listeners.deliver(.refillFailed)
      return false
    }
  }

  /// Older ones are in no bubble.
  private static let mostEarlier = 1_024

  /// Tells the scheduler the last unanswered rings from before this start. Failed reads are repeated with the next commit, and
  /// after 1, 2, 4 … 60 s.
  func readRinging() {
    owesRings = true
    readOwed()
  }

  /// To be called before a change may end one: its bubble is closed only if it is known.
  func readOwed() {
    dispatchPrecondition(condition: .onQueue(context.queue))
    guard owesRings, !file.isClosed else { return }
    do {
      let rings = try file.read { database in
        let rows = AlarmRows(clocks: context.state.clocks)
        return try Reading(database: database, rows: rows, now: context.clock.read())
          .ringing(last: Self.mostEarlier)
      }
      owesRings = false
      retry.succeeded()
      context.listeners.deliver(.ringing(rings))
    } catch {
      if file.salvageIfCorrupt(error) { return context.queue.async { self.readOwed() } }
      // The known ones are shown meanwhile.
      context.listeners.deliver(.ringing([]))
      guard let seconds = retry.arm() else { return }
      context.clock.call(after: seconds, on: context.queue) {
        self.retry.fired()
        self.readOwed()
      }
    }
  }

  /// With more, their alarms are not read anew.
  private static let fewRinging = 1_024

  /// Tells the scheduler which of these occurrences no longer ring.
  func answerStillRinging(_ occurrences: [Int64]) {
    do {
      var edited: [AlarmMoments] = []
      let ended = try file.read { database in
        let rings = try database.cachedStatement(
          sql: "SELECT 1 FROM occurrence WHERE id = ? AND \(OccurrenceTable.rings)")
        if occurrences.count <= Self.fewRinging {
          // Another program, or a change of many, may have edited them.
          let tables = context.tables(database)
          try tables.zones.readDaysOff(database)
          edited = try Set(tables.occurrences.alarms(of: Set(occurrences)).values).sorted().map {
            try AlarmMoments($0, in: tables)
          }
        }
        return try occurrences.filter { try Int64.fetchOne(rings, arguments: [$0]) == nil }
      }
      context.listeners.deliver(.ended(ended))
      if !edited.isEmpty { context.listeners.deliver(.changed(edited)) }
    } catch {
      if file.salvageIfCorrupt(error) { answerStillRinging(occurrences) }
    }
  }
}
