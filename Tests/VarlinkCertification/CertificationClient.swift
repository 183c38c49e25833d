import Varlink

/// Plays the client of org.varlink.certification; throws where the server departs from it.
struct CertificationClient {
  struct Departure: Error {
    let method: String
  }

  let client: VarlinkClient
  private let prefix = "org.varlink.certification."

  func run() throws {
    let id = try client.call(prefix + "Start", as: ClientID.self).client_id
    let flag: BoolValue = try call("Test01", ClientID(client_id: id), expecting: BoolValue())
    let int: IntValue = try call("Test02", Step(clientID: id, value: flag), expecting: IntValue())
    let float: FloatValue = try call("Test03", Step(clientID: id, value: int), expecting: FloatValue())
    let string: StringValue = try call("Test04", Step(clientID: id, value: float), expecting: StringValue())
    let four: FourValues = try call("Test05", Step(clientID: id, value: string), expecting: FourValues())
    let structure: StructValue = try call("Test06", Step(clientID: id, value: four), expecting: StructValue())
    let map: MapValue = try call("Test07", Step(clientID: id, value: structure), expecting: MapValue())
    let set: SetValue = try call("Test08", Step(clientID: id, value: map), expecting: SetValue())
    let type: MyTypeValue = try call("Test09", Step(clientID: id, value: set), expecting: MyTypeValue())
    var replies: [String] = []
    try client.callMore(prefix + "Test10", Step(clientID: id, value: type), as: StringValue.self) { reply in
      replies.append(reply.string)
      return true
    }
    guard replies == Replies().last_more_replies else { throw Departure(method: "Test10") }
    let last = Step(clientID: id, value: Replies(last_more_replies: replies))
    try client.oneway(prefix + "Test11", last)
    _ = try call("End", ClientID(client_id: id), expecting: AllOK())
  }

  private func call<Reply: Decodable & Equatable>(
    _ method: String, _ parameters: some Encodable, expecting expected: Reply
  ) throws -> Reply {
    let reply = try client.call(prefix + method, parameters, as: Reply.self)
    guard reply == expected else { throw Departure(method: method) }
    return reply
  }
}
