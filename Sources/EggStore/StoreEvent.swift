import EggTime

/// What the journal is to hear of the store. Texts that vary are fields; sentences are made by the listener.
package enum StoreEvent: Hashable, Sendable {
  /// SQLite found the file corrupt: it was set aside whole, and `salvaged` alarms of it are in a new one.
  /// `lost` counts rows that were seen and could not be kept; what could not be seen is not known.
  case salvaged(setAside: String, alarms: Int, occurrences: Int, lost: Int, reason: String)
  /// The schema was brought up to date; the file as it was is at `copy`.
  case migrated(from: Int, to: Int, copy: String)
  /// Opened, but takes no writes: alarms ring, changes are refused.
  case readOnly(reason: String)
  /// Takes neither reads nor writes; what is in memory still rings.
  case unavailable(reason: String)
  /// Takes writes again.
  case availableAgain
  /// The disk is full; told once until a write succeeds again.
  case diskFull
  /// A commit failed for another reason than a full disk; told once until a write succeeds again.
  case commitFailed(reason: String)
  /// The kernel gives no watch on the directory (inotify's limits): another program's writes are noticed with the
  /// next commit only.
  case unwatched
  /// Another program committed to the file.
  case foreignWrite
  /// The file was deleted, moved or replaced.
  case takenAway
  /// The log was deleted; what it held is in the database.
  case logLost
  /// Countdowns of earlier boots that were moved to the wall clock, all in all.
  case movedBoots(alarms: Int)
  /// The machine has another zone: so many floating alarms ring at another moment than before.
  case zoneChanged(from: String, to: String, moved: Int)
  /// The data of these zones changed: so many alarms ring at another moment than before.
  case zoneDataChanged([String], moved: Int)
  /// The zone can't be read any more; what was known of it stands. Told once until it can.
  case zoneUnusable(String, reason: String)
}

/// Whether changes can be made, for `status`.
package enum StoreCondition: Hashable, Sendable {
  case writable
  case readOnly(reason: String)
  case unavailable(reason: String)
}
