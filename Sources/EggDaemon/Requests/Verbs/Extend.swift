import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func extend(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: ExtendCall = try call.parameters()
    submit(ExtendChange(try asked.selected(), by: asked.span), readAt, for: call, answer: answer)
  }
}
