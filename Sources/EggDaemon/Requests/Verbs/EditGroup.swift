import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func editGroup(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: EditGroupCall = try call.parameters()
    guard asked != EditGroupCall(name: asked.name) else {
      throw ScheduleError.missingParameter(oneOf: ["newName", "color", "plain", "icon"]).failure
    }
    var edit = GroupEdit()
    if let name = asked.newName { edit.name = try TextRules.group(name) }
    if let icon = asked.icon { edit.icon = .some(try TextRules.icon(icon)) }
    if asked.plain == true {
      guard asked.color == nil else { throw .invalidParameter("plain") }
      edit.color = .some(nil)
    } else if let color = asked.color {
      edit.color = .some(color)
    }
    submit(EditGroupChange(name: asked.name, edit), readAt, for: call, answer: answerGroup)
  }
}
