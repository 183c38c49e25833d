import EggProtocol
import Varlink

extension RequestHandler {
  func relay(_ call: ServerCall) throws(CallFailure) {
    let asked: RelayCall = try call.parameters()
    guard (1...255).contains(asked.from.utf8.count) else { throw .invalidParameter("from") }
    // The caller tells before it passes on anything: those whose calls it passes on cannot tell otherwise.
    if clients[call.connection] == nil {
      let name = client(of: call).name ?? "a program"
      clients[call.connection]?.name = "\(name) from \(asked.from)"
    }
    call.reply(RelayReply())
  }
}
