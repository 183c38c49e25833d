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
    for number in numbers {
      if let alarm = try alarm(.number(number)) {
        found.alarms.append(alarm)
      } else {
        found.missing.append(number)
      }
    }
    for id in ids {
      if let alarm = try alarm(.id(id)) {
        found.alarms.append(alarm)
      } else {
        found.missingIDs.append(id)
      }
    }
    guard let since else { return found }
    let rang = try database.cachedStatement(
      sql: "SELECT 1 FROM occurrence WHERE alarm = ? AND outcome = 'rung' AND firedAt >= ? LIMIT 1")
    for alarm in found.alarms
    where try Int64.fetchOne(rang, arguments: [alarm.number, since.microseconds]) != nil {
      found.rangSince.insert(alarm.number)
    }
    return found
  }
}
