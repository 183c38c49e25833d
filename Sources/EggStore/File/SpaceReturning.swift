import Dispatch
import GRDB

/// Gives the space of what was deleted back to the disk, in transactions of a few milliseconds. Other work goes in
/// between.
extension AlarmStore {
  /// Images of each kind per transaction.
  private static let imagesAtOnce = 250
  /// Pages per transaction.
  private static let pagesAtOnce = 256
  /// Free pages that stay, for what is added next: 4 MiB.
  private static let keptPages = 1_024

  /// After a change that may have left images or free pages.
  func returnSpaceSoon() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !spaceIsDue else { return }
    spaceIsDue = true
    queue.async { self.returnSpace() }
  }

  private func returnSpace() {
    spaceIsDue = false
    guard !isClosed, opened?.isReadOnly == false else { return nextTurn() }
    var isMore = false
    do {
      guard try !takeBackSlices(), try !sweepHidden() else { return returnSpaceSoon() }
      guard !givesWay() else { return returnSpaceSoon() }
      try inTransaction(isSynced: false) { database in
        let undo = UndoLog(database: database)
        isMore = try undo.forgetOldest(
          last: undo.lastStep(), imports: shared.withLock { $0.imports }, except: turns.keptStep,
          atMost: Self.imagesAtOnce)
        if !isMore { isMore = try undo.forgetRemoved(atMost: Self.imagesAtOnce) }
        if !isMore { isMore = try Self.shrink(database) }
      }
    } catch {
      // Other space waits for the next change of many.
      if turns.hasSlices || turns.hidesSome { retryLater() }
      return letTurnsFail(error)
    }
    if isMore { returnSpaceSoon() }
  }

  /// - Returns: Whether there is more to give back.
  private static func shrink(_ database: Database) throws -> Bool {
    func free() throws -> Int { try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0 }
    let before = try free()
    guard before > keptPages else { return false }
    try database.execute(sql: "PRAGMA incremental_vacuum(\(min(pagesAtOnce, before - keptPages)))")
    let after = try free()
    // A file that an earlier eggd made keeps its size.
    return after < before && after > keptPages
  }
}
