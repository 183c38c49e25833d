import EggProtocol
import EggStore
import EggTime
import Varlink

/// Takes back changes, and undos.
struct Undoing: Sendable {
  let changes: Changes
  let reads: ReadTurns

  /// The parameters of both methods are the same.
  func undo(_ call: ServerCall, _ readAt: ClockReading, redoes: Bool) throws(CallFailure) {
    let asked: UndoCall = try call.parameters()
    let caller = changes.clients.program(of: call)
    guard asked.preview != true else {
      return reads.answer(call, { try redoes ? $0.lastUndone() : $0.lastChange() }) { last in
        guard let last else { return call.fail(ScheduleError.nothingToUndo.failure) }
        call.reply(UndoReply(last, caller: caller, sequence: last.sequence))
      }
    }
    var change = UndoChange(expected: asked.sequence, redoes: redoes)
    change.mayBringCommands = changes.clients.mayBringCommands(call)
    changes.submit(change, readAt, for: call) { outcome, call in
      guard let undone = outcome.undone else { return call.fail(ScheduleError.nothingToUndo.failure) }
      call.reply(UndoReply(undone, caller: caller, sequence: outcome.sequence))
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
