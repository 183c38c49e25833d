import Alarms

/// A committed change as subscribers see it.
package struct CommittedChanges: Sendable {
  /// Counts changes; stored in the change's own transaction.
  package var sequence: Int64
  /// Each alarm before and after, nil where it does not exist. The array is nil where subscribers have to
  /// read the whole list again: more than 256 alarms, another program's write, a salvage.
  package var alarms: [(old: Alarm?, new: Alarm?)]?
  /// Names, colours or icons of groups changed.
  package var changesGroups: Bool

  package init(sequence: Int64, alarms: [(old: Alarm?, new: Alarm?)]?, changesGroups: Bool = false) {
    self.sequence = sequence
    self.alarms = alarms
    self.changesGroups = changesGroups
  }
}
