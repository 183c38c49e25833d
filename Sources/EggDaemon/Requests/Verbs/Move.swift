import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func move(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: MoveCall = try call.parameters()
    let place: Place
    switch (asked.place, asked.other) {
    case (.top, nil): place = .top
    case (.bottom, nil): place = .bottom
    case (.before, let other?): place = .before(other)
    case (.after, let other?): place = .after(other)
    default: throw .invalidParameter("other")
    }
    submit(MoveChange(try asked.selected(), place), readAt, for: call, answer: answer)
  }
}
