/// A reply as it came.
struct ReplyMessage {
  let continues: Bool
  /// Fully qualified; nil in a reply that tells of no failure.
  let error: String?
  private let json: [UInt8]
  private let range: Range<Int>?

  /// The parameters' object; `{}` when absent or null.
  var parameters: [UInt8] { range.map { Array(json[$0]) } ?? Array("{}".utf8) }

  /// - Parameter take: Reads the parameters' object while the message is scanned; false leaves it.
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
