/// Store events for the journal. Variable texts are fields; the listener makes the sentences.
package enum StoreEvent: Hashable, Sendable {
  /// SQLite found the file corrupt. The whole file was set aside, and `salvaged` alarms are in a new one.
  /// `lost` counts rows that were read but could not be kept; unreadable rows are not counted.
  case salvaged(setAside: String, alarms: Int, occurrences: Int, lost: Int, reason: String)
  /// The schema was migrated; the old database is kept as `copy`.
  case migrated(from: Int, to: Int, copy: String)
  /// Opened read-only: alarms ring, changes are refused.
  case readOnly(reason: String)
  /// Neither readable nor writable. Alarms in memory still ring.
  case unavailable(reason: String)
  case availableAgain
  /// The disk is full. Reported once until a write succeeds.
  case diskFull
  /// A commit failed for another reason than a full disk. Reported once until a write succeeds.
  case commitFailed(reason: String)
  /// inotify's limits allow no watch on the directory. Another program's writes are noticed at the next
  /// commit.
  case unwatched
  /// Another program committed to the file.
  case foreignWrite
  /// The file was deleted, moved or replaced.
  case takenAway
  /// The log was deleted; its contents were saved to the database.
  case logLost
  /// The total of countdowns that were moved from earlier boots to the wall clock.
  case movedBoots(alarms: Int)
  /// The machine's zone changed, and so the moments of `moved` floating alarms.
  case zoneChanged(from: String, to: String, moved: Int)
  /// The data of these zones changed, and so the moments of `moved` alarms.
  case zoneDataChanged([String], moved: Int)
  /// The zone can no longer be read; its last data is kept. Reported once until it can be.
  case zoneUnusable(String, reason: String)
}

/// Whether changes are possible, for `status`.
package enum StoreCondition: Hashable, Sendable {
  case writable
  case readOnly(reason: String)
  case unavailable(reason: String)
}
