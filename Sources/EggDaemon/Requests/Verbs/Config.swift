import EggProtocol
import Varlink

extension RequestHandler {
  func reportConfiguration(_ call: ServerCall) { call.reply(ConfigReply(configuration)) }
}
