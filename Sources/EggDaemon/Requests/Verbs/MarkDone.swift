import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func markDone(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: MarkDoneCall = try call.parameters()
    submit(MarkDoneChange(try asked.selected(), asked.done), readAt, for: call, answer: answer)
  }
}
