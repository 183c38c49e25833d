import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func deleteGroup(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DeleteGroupCall = try call.parameters()
    let change = DeleteGroupChange(name: asked.name, withAlarms: asked.alarms == .delete)
    submit(change, readAt, for: call) { outcome, call in
      call.reply(
        DeleteGroupReply(
          count: max(outcome.changed, Int64(outcome.deleted.count)), rang: outcome.rang,
          sequence: outcome.sequence))
    }
  }
}
