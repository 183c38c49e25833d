import EggTime
import EggProtocol
import EggStore
import Varlink

extension RequestHandler {
  func undo(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: UndoCall = try call.parameters()
    let caller = client(of: call)
    guard asked.preview == true else {
      submit(UndoChange(expected: asked.sequence), readAt, for: call) { outcome, call in
        guard let undone = outcome.undone else { return call.fail(ScheduleError.nothingToUndo.failure) }
        call.reply(UndoReply(undone, caller: caller, sequence: outcome.sequence))
      }
      return
    }
    reads.take(for: call) { [store, queue] done in
      store.lastChange { result in
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
