import EggStore

extension StoreEvent {
  var record: JournalRecord {
    switch self {
    case .unavailable(let reason):
      JournalRecord(
        .storeUnavailable, .error, "The database is not available: \(reason)", [("EGG_REASON", reason)])
    case .availableAgain: JournalRecord(.storeAgain, .info, "The database is available again")
    case .readOnly(let reason):
      JournalRecord(
        .storeReadOnly, .warning, "Changes are refused, alarms ring: \(reason)",
        [("EGG_REASON", reason)])
    case .diskFull:
      JournalRecord(
        .diskFull, .error, "The disk is full: alarms ring from memory and are recorded when there is room")
    case .commitFailed(let reason):
      JournalRecord(
        .commitFailed, .error, "The database could not be written: \(reason)", [("EGG_REASON", reason)])
    case .takenAway:
      JournalRecord(
        .takenAway, .error, "The database file was taken away: alarms ring from memory, changes are refused")
    case .logLost:
      JournalRecord(
        .logLost, .warning, "The database's log was deleted by another program; what it held is saved")
    case .salvaged(let file, let alarms, let occurrences, let lost, let reason):
      JournalRecord(
        .salvaged, .error, "The database was damaged and set aside as \(file); salvaged \(alarms) alarms",
        [
          ("EGG_FILE", file), ("EGG_COUNT", String(alarms)), ("EGG_OCCURRENCES", String(occurrences)),
          ("EGG_LOST", String(lost)), ("EGG_REASON", reason),
        ])
    case .migrated(let old, let new, let copy):
      JournalRecord(
        .migrated, .info, "Migrated the database from \(old) to \(new)",
        [("EGG_OLD_SCHEMA", String(old)), ("EGG_SCHEMA", String(new)), ("EGG_FILE", copy)])
    case .unwatched:
      JournalRecord(
        .storeUnwatched, .warning, "The database cannot be watched: another program's writes are noticed late"
      )
    case .foreignWrite:
      JournalRecord(.foreignWrite, .info, "Another program wrote to the database: read it anew")
    case .movedBoots(let alarms):
      JournalRecord(
        .bootsMoved, .info, "Countdowns of earlier boots run on the wall clock now",
        [("EGG_COUNT", String(alarms))])
    case .zoneChanged(let old, let new, let moved):
      JournalRecord(
        .zoneChanged, .notice, "The time zone changed from \(old) to \(new): moved \(moved) alarms",
        [("EGG_OLD_ZONE", old), ("EGG_ZONE", new), ("EGG_COUNT", String(moved))])
    case .zoneDataChanged(let zones, let moved):
      JournalRecord(
        .zoneDataChanged, .notice,
        "The rules of \(zones.joined(separator: ", ")) changed: moved \(moved) alarms",
        [("EGG_ZONE", zones.joined(separator: "\n")), ("EGG_COUNT", String(moved))])
    case .zoneUnusable(let zone, let reason):
      JournalRecord(
        .zoneUnusable, .warning,
        "The zone \(zone) cannot be read (\(reason)): going on with what was known of it",
        [("EGG_ZONE", zone), ("EGG_REASON", reason)])
    }
  }
}
