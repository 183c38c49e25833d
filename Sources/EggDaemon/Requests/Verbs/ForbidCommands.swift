import Alarms
import EggProtocol
import Varlink

extension RequestHandler {
  func forbidCommands(_ call: ServerCall) {
    // Has the end of the connection noticed.
    _ = client(of: call)
    commandless.insert(call.connection)
    call.reply(ForbidCommandsReply())
  }

  func mayBringCommands(_ call: ServerCall) -> Bool { !commandless.contains(call.connection) }

  /// Refuses a command, if the connection may give an alarm none.
  func permit(_ command: AlarmCommand?, for call: ServerCall) throws(CallFailure) {
    guard command == nil || mayBringCommands(call) else { throw ScheduleError.commandForbidden.failure }
  }
}
