import EggTime
import EggProtocol
import EggStore
import Varlink

extension RequestHandler {
  func undo(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: UndoCall = try call.parameters()
    guard asked.preview == true else {
      return takeBack(UndoChange(expected: asked.sequence), readAt, for: call)
    }
    preview(call) { [store] completion in store.lastChange(completion: completion) }
  }

  /// Makes a change that takes back another, or an undo.
  func takeBack(_ change: UndoChange, _ readAt: ClockReading, for call: ServerCall) {
    let caller = client(of: call)
    var change = change
    change.mayBringCommands = mayBringCommands(call)
    submit(change, readAt, for: call) { outcome, call in
      guard let undone = outcome.undone else { return call.fail(ScheduleError.nothingToUndo.failure) }
      call.reply(UndoReply(undone, caller: caller, sequence: outcome.sequence))
    }
  }

  /// Tells which change that would be.
  func preview(
    _ call: ServerCall,
    read: @escaping @Sendable (@escaping @Sendable (Result<UndoStep?, ReadError>) -> Void) -> Void
  ) {
    let caller = client(of: call)
    reads.take(for: call) { [queue] done in
      read { result in
        queue.async {
          switch result {
          case .success(let last?): call.reply(UndoReply(last, caller: caller, sequence: last.sequence))
          case .success(nil): call.fail(ScheduleError.nothingToUndo.failure)
          case .failure(let error): call.fail(error.failure(for: nil))
          }
          done()
        }
      }
    }
  }
}

extension UndoReply {
  init(_ step: UndoStep, caller: ChangeClient, sequence: Int64) {
    self.init(
      change: step.kind, madeAt: step.madeAt,
      client: step.client.name,
      own: step.client == caller, count: step.count, numbers: step.numbers, label: step.label,
      missed: Array(step.missed.prefix(DeleteReply.named)), sequence: sequence)
  }
}
