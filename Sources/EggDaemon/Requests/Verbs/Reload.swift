import EggProtocol
import Varlink

extension RequestHandler {
  func reload(_ call: ServerCall) {
    reload { [self] in
      if let mistake = configuration.mistake {
        call.fail(ScheduleError.invalidConfiguration(WireMistake(mistake)).failure)
      } else {
        call.reply(ConfigReply(configuration))
      }
    }
  }
}
