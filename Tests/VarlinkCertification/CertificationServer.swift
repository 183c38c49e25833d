import Dispatch
import Varlink

/// Plays the server of org.varlink.certification. On its queue.
final class CertificationServer: @unchecked Sendable {
  private static let prefix = "org.varlink.certification."

  private var nextMethod: [String: String] = [:]
  private var clients = 0

  private struct Departure: Encodable, Sendable {
    struct Method: Encodable, Sendable {
      let method: String
    }

    let wants: Method
    let got: Method
  }

  func handle(_ call: ServerCall) {
    do throws(CallFailure) {
      try answer(call)
    } catch {
      call.fail(error)
    }
  }

  private func answer(_ call: ServerCall) throws(CallFailure) {
    switch call.method {
    case "Start":
      clients += 1
      let id = "client\(clients)"
      nextMethod[id] = "Test01"
      call.reply(ClientID(client_id: id))
    case "Test01":
      try proceed(call, call.parameters(as: ClientID.self).client_id, to: "Test02")
      call.reply(BoolValue())
    case "Test02": try answer(call, BoolValue(), with: IntValue(), then: "Test03")
    case "Test03": try answer(call, IntValue(), with: FloatValue(), then: "Test04")
    case "Test04": try answer(call, FloatValue(), with: StringValue(), then: "Test05")
    case "Test05": try answer(call, StringValue(), with: FourValues(), then: "Test06")
    case "Test06": try answer(call, FourValues(), with: StructValue(), then: "Test07")
    case "Test07": try answer(call, StructValue(), with: MapValue(), then: "Test08")
    case "Test08": try answer(call, MapValue(), with: SetValue(), then: "Test09")
    case "Test09": try answer(call, SetValue(), with: MyTypeValue(), then: "Test10")
    case "Test10":
      guard call.wantsMore else { throw .expectedMore }
      try check(call, MyTypeValue(), then: "Test11")
      for text in Replies().last_more_replies {
        call.reply(StringValue(string: text), continues: text != Replies().last_more_replies.last)
      }
    case "Test11":
      guard call.isOneway else { throw departure(wants: "Test11 oneway", got: "Test11") }
      try answer(call, Replies(), with: NoParameters(), then: "End")
    default:
      let id = try call.parameters(as: ClientID.self).client_id
      try proceed(call, id, to: nil)
      call.reply(AllOK())
    }
  }

  private func answer<Value: Codable & Equatable & Sendable>(
    _ call: ServerCall, _ expected: Value, with reply: some Encodable & Sendable, then next: String
  ) throws(CallFailure) {
    try check(call, expected, then: next)
    call.reply(reply)
  }

  private func check<Value: Codable & Equatable & Sendable>(
    _ call: ServerCall, _ expected: Value, then next: String
  ) throws(CallFailure) {
    let step = try call.parameters(as: Step<Value>.self)
    try proceed(call, step.clientID, to: next)
    if step.value != expected { throw departure(wants: call.method + " with other values", got: call.method) }
  }

  private func proceed(_ call: ServerCall, _ id: String, to next: String?) throws(CallFailure) {
    guard let expected = nextMethod[id] else { throw CallFailure(name: Self.prefix + "ClientIdError") }
    guard expected == call.method else { throw departure(wants: expected, got: call.method) }
    nextMethod[id] = next
  }

  private func departure(wants: String, got: String) -> CallFailure {
    CallFailure(
      name: Self.prefix + "CertificationError",
      parameters: Departure(
        wants: Departure.Method(method: Self.prefix + wants), got: Departure.Method(method: Self.prefix + got)
      ))
  }
}
