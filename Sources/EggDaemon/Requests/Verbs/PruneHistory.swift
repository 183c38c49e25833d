import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func pruneHistory(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: PruneHistoryCall = try call.parameters()
    let change = PruneHistoryChange(number: asked.number, deletedBefore: asked.deletedBefore)
    submit(change, readAt, for: call) { outcome, call in
      call.reply(PruneHistoryReply(count: outcome.changed, sequence: outcome.sequence))
    }
  }
}
