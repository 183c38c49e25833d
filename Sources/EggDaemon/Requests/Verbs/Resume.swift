import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func resume(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: ResumeCall = try call.parameters()
    submit(ResumeChange(try asked.selected()), readAt, for: call, answer: answer)
  }
}
