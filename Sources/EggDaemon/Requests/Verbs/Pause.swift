import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func pause(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: PauseCall = try call.parameters()
    submit(PauseChange(try asked.selected()), readAt, for: call, answer: answer)
  }
}
