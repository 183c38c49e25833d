import EggStore

extension StoreEvent {
  /// What the journal says of it.
  var journalEvent: JournalEvent {
    switch self {
    case .salvaged(let file, let alarms, let occurrences, let lost, let reason):
      .salvaged(file: file, alarms: alarms, occurrences: occurrences, lost: lost, reason: reason)
    case .migrated(let from, let to, let copy): .migrated(from: from, to: to, copy: copy)
    case .readOnly(let reason): .storeReadOnly(reason: reason)
    case .unavailable(let reason): .storeUnavailable(reason: reason)
    case .diskFull: .diskFull
    case .commitFailed(let reason): .commitFailed(reason: reason)
    case .takenAway: .takenAway
    case .logLost: .logLost
    case .availableAgain: .storeAgain
    case .unwatched: .storeUnwatched
    case .foreignWrite: .foreignWrite
    case .movedBoots(let alarms): .bootsMoved(alarms: alarms)
    case .zoneChanged(let old, let new, let moved): .zoneChanged(from: old, to: new, moved: moved)
    case .zoneDataChanged(let zones, let moved): .zoneDataChanged(zones, moved: moved)
    case .zoneUnusable(let zone, let reason): .zoneUnusable(zone, reason: reason)
    }
  }
}
