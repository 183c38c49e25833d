/// A reply as it came.
struct ReplyMessage {
  let continues: Bool
  /// Fully qualified; nil in a reply that tells of no failure.
  let error: String?
  /// The parameters' object; `{}` when absent or null.
  let parameters: [UInt8]

  init(_ message: [UInt8]) throws(CallMessage.Fault) {
    let header = try MessageHeader(message, members: ["parameters", "continues", "error"])
    continues = header.flags.contains("continues")
    error = header.error
    guard !continues || error == nil else { throw .conflictingFlags }
    parameters = header.parameters.map { Array(message[$0]) } ?? Array("{}".utf8)
  }
}
