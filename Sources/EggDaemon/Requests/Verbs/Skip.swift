import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func skip(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: SkipCall = try call.parameters()
    submit(SkipChange(try asked.selected()), readAt, for: call, answer: answer)
  }
}
