import Testing

@testable import Varlink

@Suite struct MessageTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  struct Optional: Codable, Equatable {
    var a: Int?
    var b: Int
  }

  @Test("Unset flags, empty parameters and nil optionals are omitted")
  func written() throws {
    let json = try MessageWriter.encode(Optional(a: nil, b: 1))
    #expect(
      text(MessageWriter.call("a.b.C", parameters: json))
        == "{\"method\":\"a.b.C\",\"parameters\":{\"b\":1}}\0")
    let empty = try MessageWriter.encode(NoParameters())
    #expect(
      text(MessageWriter.call("a.b.C", parameters: empty, flag: .more))
        == "{\"method\":\"a.b.C\",\"more\":true}\0")
    #expect(text(MessageWriter.reply(parameters: empty, continues: false)) == "{}\0")
    #expect(
      text(MessageWriter.reply(parameters: json, continues: true))
        == "{\"parameters\":{\"b\":1},\"continues\":true}\0")
    #expect(text(MessageWriter.error(.expectedMore)) == "{\"error\":\"org.varlink.service.ExpectedMore\"}\0")
    #expect(
      text(MessageWriter.error(CallFailure(name: "q\"\\\n\u{1f}ü")))
        == "{\"error\":\"q\\\"\\\\\\n\\u001fü\"}\0")
  }

  @Test("Parameters that are no object and numbers that JSON lacks are refused")
  func unencodable() {
    #expect(throws: (any Error).self) { try MessageWriter.encode([1]) }
    #expect(throws: (any Error).self) { try MessageWriter.encode(["a": Double.infinity]) }
  }

  @Test("A NUL inside a text is escaped")
  func nul() throws {
    let json = try MessageWriter.encode(["a": "x\0y"])
    #expect(!json.contains(0))
  }

  @Test(
    "Absent, null and empty parameters of a reply are equal",
    arguments: ["{}", #"{"parameters":null}"#, #"{"parameters":{}}"#, #"{"error":null,"continues":false}"#])
  func emptyReply(_ json: String) throws {
    let reply = try ReplyMessage(Array(json.utf8))
    #expect(reply.error == nil)
    #expect(!reply.continues)
    #expect(text(reply.parameters) == "{}")
  }

  @Test(
    "A reply with an unknown member, a wrong type or an error that continues is refused",
    arguments: [
      #"{"id":1}"#, #"{"error":1}"#, #"{"continues":1}"#, #"{"parameters":[]}"#, "[]", "",
      #"{"error":"a.B","continues":true}"#,
    ])
  func malformedReply(_ json: String) {
    #expect(throws: CallMessage.Fault.self) { try ReplyMessage(Array(json.utf8)) }
  }

  @Test(
    "Strings are read with all their escapes",
    arguments: [
      (#""plain ü""#, "plain ü"), (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
      (#""\u00e9\ud83e\udd5a!""#, "é🥚!"), (#""a\u0000b""#, "a\0b"), (#""🥚\n🥚""#, "🥚\n🥚"),
    ])
  func strings(_ json: String, _ expected: String) throws {
    var scanner = try JSONScanner(Array(json.utf8))
    let range = try scanner.string()
    let isAtEnd = scanner.atEnd()
    #expect(scanner.text(range) == expected)
    #expect(isAtEnd)
  }

  @Test(
    "Only RFC 8259 values are accepted",
    arguments: [
      "01", "+1", "1.", ".5", "1e", "-", "0x1", "NaN", "tru", "nul", "[1,]", "[,1]", "{\"a\"}", "{1:2}",
      "{\"a\":1,}", "\"\\x\"", "\"\\u12\"", "\"\\u00é0\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "[", "{",
      "\"", "]",
    ])
  func noValue(_ json: String) {
    #expect(throws: JSONFault.self) {
      var scanner = try JSONScanner(Array(json.utf8))
      try scanner.skipValue()
      if !scanner.atEnd() { throw JSONFault.notJSON }
    }
  }

  @Test(
    "Numbers of any size are skipped",
    arguments: ["0", "-0", "1e999", "-1.5E-9", String(repeating: "9", count: 99)])
  func numbers(_ json: String) throws {
    var scanner = try JSONScanner(Array(json.utf8))
    try scanner.skipValue()
    let isAtEnd = scanner.atEnd()
    #expect(isAtEnd)
  }

  @Test("Sixty-four levels are read, and one more is refused")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    var scanner = try JSONScanner(nested(64))
    try scanner.skipValue()
    var deeper = try JSONScanner(nested(65))
    #expect(throws: JSONFault.tooDeep) { try deeper.skipValue() }
  }
}
