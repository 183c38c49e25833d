import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func commitImport(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: CommitImportCall = try call.parameters()
    let pending = pendingImport(of: call)
    let sync = try calendarSync(asked, deleted: pending.deleted)
    // Alarms staged from here on belong to another import.
    imports[call.connection] = nil
    if let failure = pending.failure { throw failure }
    let request = ChangeRequest(
      CommitImportChange(pending.id, sync: sync), readAt: readAt, client: client(of: call),
      processID: call.peer.pid)
    store.submit(request) { [store, queue] result in
      store.endImport(pending.id)
      queue.async {
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

  func syncMark(_ call: ServerCall) throws(CallFailure) {
    let asked: SyncMarkCall = try call.parameters()
    let calendar = try TextRules.calendar(asked.calendar, "calendar")
    reads.take(for: call) { [store, queue] done in
      store.syncMark(of: calendar) { result in
        queue.async {
          switch result {
          case .success(let found): call.reply(SyncMarkReply(mark: found.mark, sequence: found.sequence))
          case .failure(let error): call.fail(error.failure(for: nil))
          }
          done()
        }
      }
    }
  }
}
