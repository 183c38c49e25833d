import Alarms
import EggTime
import GRDB

/// Alarms that clients wait for, from one snapshot.
package struct AwaitedAlarms: Sendable {
  package var alarms: [Alarm]
  /// The numbers of those that elapsed at the moment asked for or later, whatever their outcome.
  package var rangSince: Set<Int64>
  /// Numbers without alarms.
  package var missing: [Int64]
  /// Identities without alarms.
  package var missingIDs: [AlarmID]
  /// The last change in the snapshot.
  package var sequence: Int64
}

extension Reading {
  package func awaited(numbers: [Int64], ids: [AlarmID], since: Instant?) throws -> AwaitedAlarms {
    var found = AwaitedAlarms(
      alarms: [], rangSince: [], missing: [], missingIDs: [], sequence: try sequence())
    for which in numbers.map(AlarmReference.number) + ids.map(AlarmReference.id) {
      guard let alarm = try alarm(which) else {
        switch which {
        case .number(let number): found.missing.append(number)
        case .id(let id): found.missingIDs.append(id)
        }
        continue
      }
      found.alarms.append(alarm)
      if let since,
        try database.has(
          "SELECT 1 FROM occurrence WHERE alarm = ? AND outcome = 'rung' AND firedAt >= ? LIMIT 1",
          [alarm.number, since.microseconds])
      {
        found.rangSince.insert(alarm.number)
      }
    }
    return found
  }
}
