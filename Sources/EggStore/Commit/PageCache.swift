import GRDB

/// KiB of pages that SQLite may keep in memory.
enum PageCache {
  /// Small, so that eggd's memory does not grow with the schedule.
  static let usual = 256
  /// A change of many alarms meets their UUIDs and labels in random order in the indexes. With the usual cache
  /// each of these pages is written and read again for each alarm.
  static let large = 16_384

  static func set(_ size: Int, of database: Database) throws {
    try database.execute(sql: "PRAGMA cache_size = -\(size)")
  }
}

extension StoreTransaction {
  /// Runs `body`, with room for the pages of many alarms. COMMIT gives the memory back.
  func withRoom<Result>(forMany areMany: Bool, _ body: () throws -> Result) throws -> Result {
    guard areMany else { return try body() }
    try PageCache.set(PageCache.large, of: database)
    // If it fails, the cache stays large: no reason to fail the change.
    defer { try? PageCache.set(PageCache.usual, of: database) }
    return try body()
  }
}
