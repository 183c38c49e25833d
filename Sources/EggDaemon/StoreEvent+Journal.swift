extension StoreEvent {
  /// What the journal says of it.
  var journalEvents: [JournalEvent] {
    switch self {
    case .salvaged(let file, let alarms, let occurrences, let lost, let reason):
      [
        .setAside(file: file, reason: reason),
        .salvaged(
          alarms: Int64(alarms), occurrences: Int64(occurrences), lost: Int64(lost), file: file),
      ]
    case .migrated(let from, let to, let copy): [.migrated(from: String(from), to: String(to), copy: copy)]
    case .readOnly(let reason): [.storeReadOnly(reason: reason)]
    case .unavailable(let reason): [.storeUnavailable(reason: reason)]
    case .diskFull: [.storeUnavailable(reason: "the disk is full")]
    case .commitFailed(let reason): [.storeUnavailable(reason: reason)]
    case .takenAway: [.storeUnavailable(reason: "the file was deleted, moved or replaced")]
    case .availableAgain: [.storeAgain]
    case .foreignWrite: [.foreignWrite]
    case .movedBoots(let alarms): [.bootsMoved(rows: Int64(alarms))]
    }
  }
}
