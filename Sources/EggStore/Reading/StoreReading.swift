import Alarms
import Dispatch
import EggTime
import GRDB
import Ringing

/// Reads on the writer's connection, in step with the commits.
extension AlarmStore {
  /// Reads the head and tells the scheduler.
  @discardableResult
  func readHead() -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    refillIsDue = false
    do {
      guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      var head: Refill?
      try opened.pool.writeWithoutTransaction { database in
        try database.inTransaction(.deferred) {
          head = try Refill(
            database, clocks: clocks, zones: zones, now: clock.read(),
            most: hasReadHead ? .max : Refill.firstLimit)
          return .commit
        }
      }
      if let head {
        // The first head is short; the scheduler asks for more.
        if !hasReadHead {
          hasReadHead = true
          file.patience.settle()
          if !pending.isEmpty { queue.async { self.commitSoon() } }
        }
        observer?.deliver(.refilled(head))
      }
      return true
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { return true }
      observer?.deliver(.refillFailed)
      return false
    }
  }

  /// Reads the gap of a head and tells the scheduler. So the next of thousands of alarms can ring before the
  /// first are recorded, or while recording fails.
  func readExtension(_ gap: HeadGap) {
    dispatchPrecondition(condition: .onQueue(queue))
    do {
      guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      let found = try opened.pool.writeWithoutTransaction { database in
        var found: HeadExtension?
        try database.inTransaction(.deferred) {
          found = try HeadExtension(
            database, clocks: clocks, zones: zones, now: clock.read(), gap: gap)
          return .commit
        }
        return found
      }
      guard let found else { return }
      extensions.untaken += 1
      extensions.sinceCommit += 1
      observer?.deliver(.extended(found)) { self.queue.async { self.extensionWasTaken() } }
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { return }
      observer?.deliver(.refillFailed)
    }
  }

  private func extensionWasTaken() {
    extensions.untaken -= 1
    // What could not be stored is not tried again for that.
    guard extensions.holdCommit else { return }
    extensions.holdCommit = false
    commitSoon()
  }

  /// Occurrences per lookup of what still rings; other work runs in between.
  static let ringingAtOnce = 1_024

  func answerStillRinging(_ occurrences: ArraySlice<Int64>) {
    guard let opened else { return }
    let slice = occurrences.prefix(Self.ringingAtOnce)
    do {
      var edited: [AlarmMoments] = []
      let ended = try opened.pool.writeWithoutTransaction { database in
        let rings = try database.cachedStatement(
          sql: "SELECT 1 FROM occurrence WHERE id = ? AND \(OccurrenceTable.rings)")
        if slice.count == occurrences.count { edited = try moments(of: slice, in: database) }
        return try slice.filter { try Int64.fetchOne(rings, arguments: [$0]) == nil }
      }
      observer?.deliver(.ended(ended))
      if !edited.isEmpty { observer?.deliver(.changed(edited)) }
      let rest = occurrences.dropFirst(slice.count)
      if !rest.isEmpty { queue.async { self.answerStillRinging(rest) } }
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { answerStillRinging(occurrences) }
    }
  }

  /// The alarms of these occurrences: another program, or a change of many, may have edited them.
  private func moments(of occurrences: ArraySlice<Int64>, in database: Database) throws -> [AlarmMoments] {
    let tables = Tables(database, clocks: clocks, zones: zones)
    return try Set(tables.occurrences.alarms(of: Set(occurrences)).values).sorted().map {
      try AlarmMoments($0, in: tables)
    }
  }
}
