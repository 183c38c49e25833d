import Alarms

/// A committed change as subscribers see it.
package struct CommittedChanges: Sendable {
  /// Counts changes; stored in the change's own transaction.
  package var sequence: Int64
  /// Each alarm before and after, nil for one that did not or does not exist; nil altogether where the
  /// whole list is to be read anew (more than 256 alarms, another program's write, a salvage).
  package var alarms: [(old: Alarm?, new: Alarm?)]?
  /// Groups are others than before, by their names, colours or icons.
  package var changesGroups: Bool

  /// All fields.
  package init(sequence: Int64, alarms: [(old: Alarm?, new: Alarm?)]?, changesGroups: Bool = false) {
    self.sequence = sequence
    self.alarms = alarms
    self.changesGroups = changesGroups
  }
}
