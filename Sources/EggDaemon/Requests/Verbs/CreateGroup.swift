import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func createGroup(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: CreateGroupCall = try call.parameters()
    let group = Group(
      name: try TextRules.group(asked.name), color: asked.color, icon: try TextRules.icon(asked.icon))
    submit(CreateGroupChange(group), readAt, for: call, answer: answerGroup)
  }
}
