struct ReplyMessage {
  let continues: Bool
  /// Fully qualified; nil in a successful reply.
  let error: String?
  private let json: [UInt8]
  private let range: Range<Int>?

  /// A JSON object; `{}` when absent or null.
  var parameters: [UInt8] { range.map { Array(json[$0]) } ?? Array("{}".utf8) }

  func decoded<Parameters: Decodable>() throws -> Parameters {
    try range.map { try JSON.value(JSONScanner(checked: json, range: $0)) } ?? JSON.value(parameters)
  }

  init(_ message: [UInt8]) throws(CallMessage.Fault) {
    let header = try MessageHeader(message, members: ["parameters", "continues", "error"])
    continues = header.flags.contains("continues")
    error = header.error
    guard !continues || error == nil else { throw .conflictingFlags }
    json = message
    range = header.parameters
  }
}
