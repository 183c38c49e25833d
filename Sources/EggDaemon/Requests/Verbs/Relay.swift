import EggProtocol
import Varlink

extension RequestHandler {
  func relay(_ call: ServerCall) throws(CallFailure) {
    let asked: RelayCall = try call.parameters()
    guard (1...255).contains(asked.from.utf8.count) else { throw .invalidParameter("from") }
    var client = client(of: call)
    client.name = "\(client.name ?? "a program") from \(asked.from)"
    clients[call.connection] = client
    call.reply(RelayReply())
  }
}
