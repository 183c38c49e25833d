/// Encodes messages, NUL included. Omits absent and false members (varlinkctl closes on `"error":null`).
enum MessageWriter {
  /// The parameters do not encode to a JSON object.
  struct NotAnObject: Error {}

  /// A compact JSON object. Throws for NaN and infinity.
  static func encode(_ parameters: some Encodable) throws -> [UInt8] {
    let json = try JSON.bytes(parameters)
    guard json.first == UInt8(ascii: "{") else { throw NotAnObject() }
    return json
  }

  /// An object with one string.
  static func object(_ name: String, _ text: String) -> [UInt8] {
    [UInt8(ascii: "{")] + member(name, string(text)) + [UInt8(ascii: "}")]
  }

  enum Flag: String {
    case more, oneway
  }

  static func call(_ method: String, parameters: [UInt8], flag: Flag? = nil) -> [UInt8] {
    message([
      member("method", string(method)), parametersMember(parameters), flag.map { flagMember($0.rawValue) },
    ])
  }

  static func reply(parameters: [UInt8], continues: Bool) -> [UInt8] {
    message([parametersMember(parameters), continues ? flagMember("continues") : nil])
  }

  static func error(_ name: String, parameters: [UInt8]) -> [UInt8] {
    message([member("error", string(name)), parametersMember(parameters)])
  }

  /// Omits parameters that cannot be encoded.
  static func error(_ failure: CallFailure) -> [UInt8] {
    error(failure.name, parameters: (try? encode(failure.parameters)) ?? [UInt8]("{}".utf8))
  }

  private static func message(_ members: [[UInt8]?]) -> [UInt8] {
    let members = members.compactMap(\.self)
    var message: [UInt8] = []
    message.reserveCapacity(members.reduce(3) { $0 + $1.count + 1 })
    message.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { message.append(UInt8(ascii: ",")) }
      message += member
    }
    message.append(UInt8(ascii: "}"))
    message.append(0)
    return message
  }

  private static func member(_ name: String, _ value: [UInt8]) -> [UInt8] {
    Array("\"\(name)\":".utf8) + value
  }

  private static func flagMember(_ name: String) -> [UInt8] { member(name, Array("true".utf8)) }

  private static func parametersMember(_ parameters: [UInt8]) -> [UInt8]? {
    parameters.elementsEqual("{}".utf8) ? nil : member("parameters", parameters)
  }

  private static func string(_ text: String) -> [UInt8] {
    var json: [UInt8] = []
    text.write(to: &json)
    return json
  }
}
