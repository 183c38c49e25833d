import EggProtocol
import EggStore
import EggTime
import Varlink

/// Takes back changes, and undos.
struct Undoing: Sendable {
  let changes: Changes
  let reads: ReadTurns

  func undo(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: UndoCall = try call.parameters()
    guard asked.preview == true else {
      return takeBack(UndoChange(expected: asked.sequence), readAt, for: call)
    }
    preview(call) { changes.store.ask({ try $0.lastChange() }, completion: $0) }
  }

  func redo(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: RedoCall = try call.parameters()
    guard asked.preview == true else {
      return takeBack(UndoChange(expected: asked.sequence, redoes: true), readAt, for: call)
    }
    preview(call) { changes.store.ask({ try $0.lastUndone() }, completion: $0) }
  }

  private func takeBack(_ change: UndoChange, _ readAt: ClockReading, for call: ServerCall) {
    let caller = changes.clients.program(of: call)
    var change = change
    change.mayBringCommands = changes.clients.mayBringCommands(call)
    changes.submit(change, readAt, for: call) { outcome, call in
      guard let undone = outcome.undone else { return call.fail(ScheduleError.nothingToUndo.failure) }
      call.reply(UndoReply(undone, caller: caller, sequence: outcome.sequence))
    }
  }

  private func preview(
    _ call: ServerCall,
    read: @escaping (@escaping @Sendable (Result<UndoStep?, ReadError>) -> Void) -> Void
  ) {
    let caller = changes.clients.program(of: call)
    reads.answer(call, read: read) { last in
      guard let last else { return call.fail(ScheduleError.nothingToUndo.failure) }
      call.reply(UndoReply(last, caller: caller, sequence: last.sequence))
    }
  }
}

extension UndoReply {
  fileprivate init(_ step: UndoStep, caller: ChangeClient, sequence: Int64) {
    self.init(
      change: step.kind, madeAt: step.madeAt, client: step.client.name, own: step.client == caller,
      count: step.count, numbers: step.numbers, label: step.label,
      missed: Array(step.missed.prefix(DeleteReply.named)), sequence: sequence)
  }
}
