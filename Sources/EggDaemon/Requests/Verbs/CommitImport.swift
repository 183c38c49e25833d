import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func commitImport(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let pending = pendingImport(of: call)
    // Alarms staged from here on belong to another import.
    imports[call.connection] = nil
    let request = ChangeRequest(
      CommitImportChange(pending.id), readAt: readAt, client: client(of: call), processID: call.peer.pid)
    store.submit(request) { [self] result in
      if case .success = result { store.endImport(pending.id) }
      queue.async { [self] in
        switch result {
        case .success(let outcome):
          let made = outcome.imported ?? Imported(count: 0, existed: 0, missed: 0)
          call.reply(
            CommitImportReply(
              count: made.count, existed: made.existed, missed: made.missed, sequence: outcome.sequence))
        case .failure(let error):
          takeBack(pending, of: call)
          call.fail(error.failure)
        }
      }
    }
  }

  /// Keeps a failed import for the next attempt, unless another has begun meanwhile.
  private func takeBack(_ pending: PendingImport, of call: ServerCall) {
    if imports[call.connection] == nil, !call.isClosed {
      imports[call.connection] = pending
    } else {
      store.endImport(pending.id)
    }
  }
}
