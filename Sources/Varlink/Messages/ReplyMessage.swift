/// A received reply.
struct ReplyMessage {
  let continues: Bool
  /// Fully qualified; nil in a successful reply.
  let error: String?
  private let json: [UInt8]
  private let range: Range<Int>?

  /// A JSON object; `{}` when absent or null.
  var parameters: [UInt8] { range.map { Array(json[$0]) } ?? Array("{}".utf8) }

  /// `take` reads the parameters in place; false leaves them.
  init(
    _ message: [UInt8], parameters take: (inout JSONScanner) -> Bool = { _ in false }
  ) throws(CallMessage.Fault) {
    let header = try MessageHeader(message, members: ["parameters", "continues", "error"], parameters: take)
    continues = header.flags.contains("continues")
    error = header.error
    guard !continues || error == nil else { throw .conflictingFlags }
    json = message
    range = header.parameters
  }
}
