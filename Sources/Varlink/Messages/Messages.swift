/// A received call: the header is checked, the parameters are valid JSON of unchecked meaning.
struct CallMessage {
  /// Fully qualified, as sent.
  let method: String
  let more: Bool
  let oneway: Bool
  let upgrade: Bool
  let json: [UInt8]
  /// Range of the parameters in `json`; nil when absent or null.
  let parameters: Range<Int>?

  /// No reply to such a message is defined: the connection is closed (UAPI.20, Connection Lifecycle).
  enum Fault: Error, Equatable {
    case json(JSONFault)
    case notAnObject
    case unknownMember(String)
    case repeatedMember(String)
    case wrongType(String)
    case noMethod
    case conflictingFlags
  }

  init(_ message: [UInt8]) throws(Fault) {
    let header = try MessageHeader(
      message, members: ["method", "parameters", "more", "oneway", "upgrade"]
    ) { try $0.skipValue() }
    guard let method = header.method else { throw .noMethod }
    self.method = method
    more = header.flags.contains("more")
    oneway = header.flags.contains("oneway")
    upgrade = header.flags.contains("upgrade")
    guard header.flags.count <= 1 else { throw .conflictingFlags }
    json = message
    parameters = header.parameters
  }

  /// `method` split at its last dot; both empty without one.
  var names: (interface: String, method: String) {
    guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { return ("", "") }
    return (String(method[..<dot]), String(method[method.utf8.index(after: dot)...]))
  }
}

/// The members of a call or reply, with the types of UAPI.20. Null equals absent.
struct MessageHeader {
  private(set) var method: String?
  private(set) var error: String?
  private(set) var flags: [String] = []
  private(set) var parameters: Range<Int>?

  /// Throws for any member not in `members`, except an object under a name with a dot (a vendor's).
  ///
  /// - Parameter read: Reads the parameters, an object, to their end.
  init(
    _ message: [UInt8], members: [String], parameters read: (inout JSONScanner) throws -> Void
  ) throws(CallMessage.Fault) {
    do {
      var scanner = try JSONScanner(message)
      try self.read(&scanner, members: members, read)
    } catch let fault as JSONFault {
      throw .json(fault)
    } catch let fault as CallMessage.Fault {
      throw fault
    } catch {
      throw .json(.notJSON)
    }
  }

  private mutating func read(
    _ scanner: inout JSONScanner, members: [String], _ read: (inout JSONScanner) throws -> Void
  ) throws {
    guard try scanner.kind() == .object else {
      try scanner.skipValue()
      throw CallMessage.Fault.notAnObject
    }
    var seen: [String] = []
    var vendors: Set<String> = []
    var object = try scanner.beginObject()
    while try scanner.nextKey(&object) {
      let name = scanner.text(object.key)
      // The set is only for unknown members: its first use at the client takes longer than a message.
      if members.contains(name) {
        guard !seen.contains(name) else { throw CallMessage.Fault.repeatedMember(name) }
        seen.append(name)
      } else {
        guard name.contains(".") else { throw CallMessage.Fault.unknownMember(name) }
        guard vendors.insert(name).inserted else { throw CallMessage.Fault.repeatedMember(name) }
      }
      try readMember(name, &scanner, read)
    }
    guard scanner.atEnd() else { throw JSONFault.notJSON }
  }

  private mutating func readMember(
    _ name: String, _ scanner: inout JSONScanner, _ read: (inout JSONScanner) throws -> Void
  ) throws {
    switch (name, try scanner.kind()) {
    case ("method", .string): method = scanner.text(try scanner.string())
    case ("error", .string): error = scanner.text(try scanner.string())
    case ("parameters", .object):
      let start = scanner.index
      try read(&scanner)
      parameters = start..<scanner.index
    case ("more", .bool), ("oneway", .bool), ("upgrade", .bool), ("continues", .bool):
      if try scanner.bool() { flags.append(name) }
    case (_, .null) where !name.contains("."), (_, .object) where name.contains("."):
      try scanner.skipValue()
    default:
      throw CallMessage.Fault.wrongType(name)
    }
  }
}

struct ReplyMessage {
  let continues: Bool
  /// Fully qualified; nil in a successful reply.
  let error: String?
  private let json: [UInt8]
  private let range: Range<Int>?

  /// A JSON object; `{}` when absent or null.
  var parameters: [UInt8] { range.map { Array(json[$0]) } ?? Array("{}".utf8) }

  /// - Parameter read: Reads the parameters, an object, to their end.
  init(
    _ message: [UInt8], parameters read: (inout JSONScanner) throws -> Void = { try $0.skipValue() }
  ) throws(CallMessage.Fault) {
    let header = try MessageHeader(message, members: ["parameters", "continues", "error"], parameters: read)
    continues = header.flags.contains("continues")
    error = header.error
    guard !continues || error == nil else { throw .conflictingFlags }
    json = message
    range = header.parameters
  }
}

/// Encodes messages, NUL included. Omits absent and false members (varlinkctl closes on `"error":null`).
package enum MessageWriter {
  /// The parameters do not encode to a JSON object.
  struct NotAnObject: Error {}

  /// A compact JSON object. Throws for NaN and infinity.
  static func encode(_ parameters: some Encodable) throws -> [UInt8] {
    let json = try JSON.bytes(parameters)
    guard json.first == UInt8(ascii: "{") else { throw NotAnObject() }
    return json
  }

  package enum Flag: String {
    case more, oneway
  }

  static func call(_ method: String, parameters: [UInt8], flag: Flag? = nil) -> [UInt8] {
    message(("method", method), parameters, flag: flag?.rawValue)
  }

  static func reply(parameters: [UInt8], continues: Bool) -> [UInt8] {
    message(nil, parameters, flag: continues ? "continues" : nil)
  }

  /// Omits parameters that cannot be encoded.
  static func error(_ failure: CallFailure) -> [UInt8] {
    message(("error", failure.name), (try? encode(failure.parameters)) ?? Array("{}".utf8), flag: nil)
  }

  private static func message(
    _ first: (name: String, text: String)?, _ parameters: [UInt8], flag: String?
  ) -> [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(parameters.count + 128)
    if let first {
      message += ",\"\(first.name)\":".utf8
      first.text.write(to: &message)
    }
    if !parameters.elementsEqual("{}".utf8) {
      message += ",\"parameters\":".utf8
      message += parameters
    }
    if let flag { message += ",\"\(flag)\":true".utf8 }
    // In place of the first member's comma.
    message.replaceSubrange(..<min(1, message.count), with: "{".utf8)
    message += "}\0".utf8
    return message
  }
}
