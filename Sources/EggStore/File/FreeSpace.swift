import Dispatch
import GRDB

/// Gives the space of what was deleted back to the disk, in transactions of a few milliseconds. Other work goes in
/// between. Confined to the store's queue.
final class FreeSpace: @unchecked Sendable {
  private let file: StoreFile
  private let context: StoreContext
  /// Whose images stay.
  private let importsInUse: () -> Set<Int64>
  private var isDue = false
  /// Pages were given back: the next checkpoint makes the file shorter.
  private var needsCheckpoint = false
  /// It could not be returned.
  private(set) var isOwed = false

  /// Images of each kind per transaction.
  private static let imagesAtOnce = 250
  private static let pagesAtOnce = 256
  /// Free pages that stay, for what is added next: 4 MiB.
  private static let keptPages = 1_024

  init(_ file: StoreFile, _ context: StoreContext, importsInUse: @escaping () -> Set<Int64>) {
    self.file = file
    self.context = context
    self.importsInUse = importsInUse
  }

  /// After a change that may have left images or free pages.
  func returnSoon() {
    dispatchPrecondition(condition: .onQueue(context.queue))
    guard !isDue else { return }
    isDue = true
    context.queue.async { self.returnNext() }
  }

  private func returnNext() {
    isDue = false
    guard file.isWritable else { return }
    var isMore = false
    do {
      try file.inTransaction { database in
        isMore = try Images.sweep(database, imports: importsInUse(), atMost: Self.imagesAtOnce)
        if !isMore { isMore = try shrink(database) }
      }
    } catch {
      // The next change that can be stored goes on.
      isOwed = true
      return
    }
    isOwed = false
    if isMore { return returnSoon() }
    if needsCheckpoint { file.opened?.checkpoint(.restart) }
    needsCheckpoint = false
  }

  /// - Returns: Whether there is more to give back.
  private func shrink(_ database: Database) throws -> Bool {
    func free() throws -> Int { try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0 }
    let before = try free()
    guard before > Self.keptPages else { return false }
    let pages = min(Self.pagesAtOnce, before - Self.keptPages)
    try database.execute(sql: "PRAGMA incremental_vacuum(\(pages))")
    let after = try free()
    // A file that an earlier eggd made keeps its size.
    guard after < before else { return false }
    needsCheckpoint = true
    return after > Self.keptPages
  }
}
