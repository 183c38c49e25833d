import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func importAlarms(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked = try call.parameters(scan: ImportAlarmsCall.call(scanning:))
    let deleted = asked.delete ?? []
    guard deleted.count + (imports[call.connection]?.deleted.count ?? 0) <= ImportAlarmsCall.mostDeleted
    else {
      throw .invalidParameter("delete")
    }
    var groups: [Group] = []
    for group in asked.groups ?? [] {
      groups.append(
        Group(
          name: try TextRules.group(group.name), color: group.color, icon: try TextRules.icon(group.icon)))
    }
    let reader = ImportReader(timing: timingReader(readAt))
    var alarms: [(alarm: Alarm, occurrences: [Occurrence])] = []
    var refused: [RefusedAlarm] = []
    for (index, item) in asked.alarms.enumerated() {
      do throws(ImportReader.Refusal) {
        alarms.append(try reader.read(item))
      } catch {
        refused.append(RefusedAlarm(index: Int64(index), field: error.field))
      }
    }
    let (pending, reply) = (
      pendingImport(of: call), ImportAlarmsReply(staged: Int64(alarms.count), refused: refused)
    )
    let staged = StagedAlarms(groups: groups, alarms: alarms, first: pending.count + 1)
    imports[call.connection]?.count += Int64(alarms.count)
    imports[call.connection]?.deleted += deleted
    submit(ImportAlarmsChange(staged, pending.id), readAt, for: call) { _, call in call.reply(reply) }
  }

  func pendingImport(of call: ServerCall) -> PendingImport {
    if let known = imports[call.connection] { return known }
    let pending = PendingImport(id: store.beginImport())
    imports[call.connection] = pending
    return pending
  }

  /// Drops a connection's staged alarms.
  func endImport(of connection: ConnectionID) {
    if let left = imports.removeValue(forKey: connection) { store.endImport(left.id) }
  }
}

/// A connection's staged alarms.
struct PendingImport {
  let id: ImportID
  /// Alarms staged.
  var count: Int64 = 0
  /// Alarms that a synchronised calendar deletes.
  var deleted: [AlarmID] = []
}
