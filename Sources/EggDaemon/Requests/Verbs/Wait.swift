import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func wait(_ call: ServerCall) throws(CallFailure) {
    let asked: WaitCall = try call.parameters()
    let count = (asked.numbers ?? []).count + (asked.ids ?? []).count
    guard (1...Waits.alarmsLimit).contains(count) else { throw .invalidParameter("numbers") }
    guard !call.isOneway else { return call.reply() }
    waits.wait(call, asked)
  }
}
