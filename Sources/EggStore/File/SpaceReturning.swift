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
    guard !isClosed, opened?.isReadOnly == false else { return }
    // An import whose client is gone may still wait for its commit.
    let waiting = pending.changes.compactMap { ($0.request.change as? any ImportingChange)?.id.holder }
    let imports = shared.withLock { $0.imports }.union(waiting)
    var isMore = false
    do {
      try inTransaction(isSynced: false) { database in
        isMore = try Images.sweep(database, imports: imports, atMost: Self.imagesAtOnce)
        if !isMore { isMore = try Self.shrink(database) }
      }
    } catch {
      // The next change that can be stored goes on.
      owesSpace = true
      return
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
