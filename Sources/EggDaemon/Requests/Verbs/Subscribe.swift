import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func subscribe(_ call: ServerCall) throws(CallFailure) {
    guard call.wantsMore else { throw .expectedMore }
    let asked: SubscribeCall = try call.parameters()
    feed.subscribe(call, pages: asked.pages ?? true)
  }
}
