import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

/// Stages a connection's alarms in chunks, then imports them all or none.
struct Imports: Sendable {
  let changes: Changes
  let reads: ReadTurns

  func stage(_ call: ServerCall, _ timing: TimingReader) throws(CallFailure) {
    let asked: ImportAlarmsCall = try call.parameters()
    let deleted = asked.delete ?? []
    let deletedBefore = changes.clients.staged(by: call)?.deleted.count ?? 0
    guard deletedBefore + deleted.count <= ImportAlarmsCall.mostDeleted else {
      throw .invalidParameter("delete")
    }
    var groups: [Group] = []
    for group in asked.groups ?? [] {
      groups.append(
        Group(
          name: try TextRules.name(group.name, .group), color: group.color,
          icon: try TextRules.icon(group.icon)))
    }
    var daysOff: [String: DaySet] = [:]
    for calendar in asked.daysOff ?? [] {
      daysOff[try TextRules.name(calendar.name, .daysOff)] = DaySet(calendar.days ?? [])
    }
    guard daysOff.values.allSatisfy({ $0.ranges.count <= Limits.daysOff.ranges }) else {
      throw .invalidParameter("daysOff")
    }
    let reader = ExportReader(timing: timing)
    var alarms: [(alarm: Alarm, occurrences: [Occurrence])] = []
    var refused: [RefusedAlarm] = []
    for (index, item) in asked.alarms.enumerated() {
      do throws(ExportReader.Refusal) {
        alarms.append(try reader.read(item))
      } catch {
        refused.append(RefusedAlarm(index: Int64(index), field: error.field))
      }
    }
    var pending = pending(of: call)
    if let failure = pending.failure { throw failure }
    let reply = ImportAlarmsReply(staged: Int64(alarms.count), refused: refused)
    let chunk = ImportAlarmsChange(
      pending.id, groups: groups, daysOff: daysOff, alarms: alarms, first: pending.count + 1)
    pending.count += Int64(alarms.count)
    pending.deleted += deleted
    changes.clients.stage(pending, for: call)
    let request = ChangeRequest(
      chunk, readAt: timing.readAt, client: changes.clients.program(of: call))
    changes.store.submit(request) { [changes, id = pending.id] result in
      changes.queue.async {
        switch result {
        case .success: call.reply(reply)
        case .failure(let error):
          // Without this chunk none of it is imported.
          changes.store.endImport(id)
          if var pending = changes.clients.staged(by: call), pending.id == id {
            pending.failure = error.failure
            changes.clients.stage(pending, for: call)
          }
          call.fail(error.failure)
        }
      }
    }
  }

  func commit(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: CommitImportCall = try call.parameters()
    let pending = pending(of: call)
    let sync = try calendarSync(asked, deleted: pending.deleted)
    // Alarms staged from here on belong to another import.
    changes.clients.stage(nil, for: call)
    if let failure = pending.failure { throw failure }
    let request = ChangeRequest(
      CommitImportChange(pending.id, sync: sync), readAt: readAt, client: changes.clients.program(of: call),
      processID: call.peer.pid)
    changes.store.submit(request) { [changes] result in
      changes.store.endImport(pending.id)
      changes.queue.async {
        switch result {
        case .success(let outcome):
          let made = outcome.imported ?? Imported(count: 0, existed: 0, missed: 0)
          call.reply(
            CommitImportReply(
              count: made.count, existed: made.existed, missed: made.missed, sequence: outcome.sequence,
              replaced: sync.map { _ in made.replaced }, deleted: sync.map { _ in made.deleted }))
        case .failure(let error): call.fail(error.failure)
        }
      }
    }
  }

  func syncMark(_ call: ServerCall) throws(CallFailure) {
    let asked: SyncMarkCall = try call.parameters()
    let calendar = try TextRules.calendar(asked.calendar, "calendar")
    let gone = asked.gone ?? []
    reads.answer(call, { try $0.syncMark(of: calendar, gone: gone) }) { found in
      call.reply(
        SyncMarkReply(
          mark: found.mark, sequence: found.sequence, cleared: found.cleared.isEmpty ? nil : found.cleared))
    }
  }

  private func pending(of call: ServerCall) -> PendingImport {
    if let known = changes.clients.staged(by: call) { return known }
    let pending = PendingImport(id: changes.store.beginImport())
    changes.clients.stage(pending, for: call)
    return pending
  }

  private func calendarSync(
    _ asked: CommitImportCall, deleted: [AlarmID]
  ) throws(CallFailure) -> CalendarSync? {
    guard let calendar = asked.calendar else {
      if asked.mark != nil { throw .invalidParameter("mark") }
      if asked.sequence != nil { throw .invalidParameter("sequence") }
      guard deleted.isEmpty else { throw ScheduleError.missingParameter(oneOf: ["calendar"]).failure }
      return nil
    }
    guard let mark = asked.mark else { throw ScheduleError.missingParameter(oneOf: ["mark"]).failure }
    return CalendarSync(
      calendar: try TextRules.calendar(calendar, "calendar"), mark: try TextRules.calendar(mark, "mark"),
      sequence: asked.sequence, deleted: deleted)
  }
}
