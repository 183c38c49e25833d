import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func redo(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: RedoCall = try call.parameters()
    guard asked.preview == true else {
      return takeBack(UndoChange(expected: asked.sequence, redoes: true), readAt, for: call)
    }
    preview(call) { [store] completion in store.lastUndone(completion: completion) }
  }
}
