/// An entry in each folder that no calendar shows and that never rings: cancelled, and long past. vdirsyncer takes a
/// folder without entries for a mistake; with this one, deleting the last alarm is a deletion like others.
///
/// It is the same to the byte on all machines, so that it is never in conflict.
enum SyncPlaceholder {
  static let uid = "eggd-placeholder"
  static let file = uid + ".ics"

  static let bytes = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//eggd//eggctl//EN", "BEGIN:VEVENT", "UID:\(uid)",
    "DTSTAMP:20000101T000000Z", "DTSTART:20000101T000000Z",
    "SUMMARY:Keeps this calendar in use while it has no alarms", "STATUS:CANCELLED", "TRANSP:TRANSPARENT",
    "END:VEVENT", "END:VCALENDAR",
  ].flatMap { Array(($0 + "\r\n").utf8) }
}

extension SyncPlanner {
  /// Puts the placeholder where it is missing.
  mutating func keepInUse() {
    guard files[SyncPlaceholder.file] == nil, uids.insert(SyncPlaceholder.uid).inserted else { return }
    plan.writes.append(
      SyncPlan.Write(file: SyncPlaceholder.file, bytes: SyncPlaceholder.bytes, replaced: nil))
    plan.entries.append(SyncState.Entry(file: SyncPlaceholder.file, stamp: nil, uid: SyncPlaceholder.uid))
  }
}
