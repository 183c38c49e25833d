import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func dismiss(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DismissCall = try call.parameters()
    submit(DismissChange(try asked.selected()), readAt, for: call, answer: answer)
  }
}
