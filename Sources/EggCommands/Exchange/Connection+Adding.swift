import EggProtocol
import Gettext

extension Connection {
  /// Adds alarms in one change, so that one `undo` removes them all. Throws if the group does not exist: an import
  /// would create the one of a misspelled name.
  func add(
    _ alarms: [WireAlarm], to group: String?, in surroundings: Surroundings
  ) throws -> (alarms: [WireAlarm], sequence: Int64) {
    if let group { _ = try read(ListGroupsCall(name: group)) }
    let staged = try call(ImportAlarmsCall(alarms: alarms.map { ImportedAlarm(alarm: $0) }))
    if let refused = staged.refused.first {
      throw Failure(.usage, tr("eggd does not accept the value of '\(refused.field.visible)'"))
    }
    let sequence = try call(CommitImportCall()).sequence
    surroundings.output.done = tr("\(alarms.count) alarms are scheduled")
    return (try alarms.compactMap { try $0.id.map { try read(ShowCall(id: $0)).alarm } }, sequence)
  }
}
