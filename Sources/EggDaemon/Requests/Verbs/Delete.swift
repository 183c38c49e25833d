import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func delete(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DeleteCall = try call.parameters()
    submit(DeleteChange(try asked.selected(), rungBefore: asked.rungBefore), readAt, for: call) {
      outcome, call in
      call.reply(
        DeleteReply(
          deleted: outcome.deleted, rang: outcome.rang, missing: outcome.missing,
          missingIds: outcome.missingIDs, sequence: outcome.sequence))
    }
  }
}
