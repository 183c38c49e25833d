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
    let pending = pendingImport(of: call)
    if let failure = pending.failure { throw failure }
    let reply = ImportAlarmsReply(staged: Int64(alarms.count), refused: refused)
    let staged = StagedAlarms(groups: groups, alarms: alarms, first: pending.count + 1)
    imports[call.connection]?.count += Int64(alarms.count)
    imports[call.connection]?.deleted += deleted
    let change = ImportAlarmsChange(staged, pending.id)
    store.submit(ChangeRequest(change, readAt: readAt, client: client(of: call))) { [self] result in
      queue.async { [self] in
        switch result {
        case .success: call.reply(reply)
        case .failure(let error):
          // Without this chunk none of it is imported.
          store.endImport(pending.id)
          if imports[call.connection]?.id == pending.id { imports[call.connection]?.failure = error.failure }
          call.fail(error.failure)
        }
      }
    }
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
  /// Why a chunk of it could not be staged.
  var failure: CallFailure?
}
