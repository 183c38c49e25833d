import Testing

@testable import Varlink

@Suite("Values are written as JSON and read from it")
struct JSONTests {
  private struct Inner: Codable, Equatable, Sendable {
    var text: String?
    var flag: Bool?
  }

  private struct Outer: Codable, Equatable {
    var number: Int64
    var small: UInt8?
    var fraction: Double?
    @Inlined var inner = Inner()
    var list: [Inner]?
    var map: [String: [Int64]]?
  }

  private func text(_ value: some Encodable, sorted: Bool = false) throws -> String {
    String(decoding: try JSON.bytes(value, sorted: sorted), as: UTF8.self)
  }

  private func outer(_ text: String) throws -> Outer { try JSON.value(Array(text.utf8)) }

  private let full = Outer(
    number: .min, small: 255, fraction: -0.5, inner: Inner(text: "ü\"\\\n\u{1}", flag: false),
    list: [Inner(), Inner(flag: true)], map: ["b": [], "a": [.max, 0]])

  @Test(
    "Members follow each other as they are declared, absent ones are left out, inlined ones are among them")
  func written() throws {
    #expect(try text(Outer(number: 1)) == #"{"number":1}"#)
    var value = full
    value.map = ["a": [.max, 0]]
    #expect(
      try text(value)
        == #"""
        {"number":-9223372036854775808,"small":255,"fraction":-0.5,"text":"ü\"\\\n\u0001","flag":false,\
        "list":[{},{"flag":true}],"map":{"a":[9223372036854775807,0]}}
        """#.replacing("\\\n", with: ""))
  }

  @Test("Sorted members are in alphabetical order at each level")
  func sorted() throws {
    #expect(
      try text(full, sorted: true).hasPrefix(
        #"{"flag":false,"fraction":-0.5,"list":[{},{"flag":true}],"map":{"a":["#))
  }

  @Test("What is written reads as the same value")
  func again() throws {
    #expect(try JSON.value(JSON.bytes(full)) == full)
    #expect(try JSON.value(JSON.bytes(full, sorted: true)) == full)
    #expect(
      try outer(#" { "list" : [ ] , "number" : 2, "x": [{"y":[]}], "n\u0075mber2": null, "flag":true } "#)
        == Outer(number: 2, inner: Inner(flag: true), list: []))
    #expect(try outer(#"{"\u006eumber":3,"map":null,"text":null}"#) == Outer(number: 3))
  }

  @Test(
    "A wrong value is refused, and its field named",
    arguments: [
      ("{}", "number"), (#"{"number":null}"#, "number"), (#"{"number":1.0}"#, "number"),
      (#"{"number":9223372036854775808}"#, "number"), (#"{"number":1,"small":256}"#, "small"),
      (#"{"number":1,"fraction":1e999}"#, "fraction"), (#"{"number":1,"text":[]}"#, "text"),
      (#"{"number":1,"list":[{},{"flag":1}]}"#, "list.flag"), (#"{"number":1,"map":{"k":[1,"2"]}}"#, "map.k"),
      (#"{"number":1,"list":{}}"#, "list"), ("[]", "parameters"), ("", "parameters"),
      (#"{"number":1"#, "parameters"), (#"{"number":1}}"#, "parameters"), ("{\"number\":1,}", "parameters"),
      (#"{"number":1,"x":[1,]}"#, "parameters"),
    ])
  func refused(json: String, field: String) {
    let error = #expect(throws: DecodingError.self) { try outer(json) }
    #expect(error?.fieldPath == field)
  }

  @Test("Texts that are not UTF-8 and nesting beyond 64 levels are refused")
  func hostile() {
    #expect(throws: DecodingError.self) { try JSON.value([0x22, 0xff, 0x22], as: String.self) }
    let deep =
      #"{"number":1,"x":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}"
    #expect(throws: DecodingError.self) { try outer(deep) }
  }

  @Test("Another type can be tried where one does not fit")
  func alternatives() throws {
    struct Either: Decodable, Equatable {
      var texts: [String]

      init(texts: [String]) { self.texts = texts }

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        texts = try (try? value.decode([Int64].self).map { "\($0)" }) ?? value.decode([String].self)
      }
    }
    let read = try JSON.value(Array(#"[[1,2],["a","b"],[]]"#.utf8), as: [Either].self)
    #expect(read == [Either(texts: ["1", "2"]), Either(texts: ["a", "b"]), Either(texts: [])])
  }

  @Test("Elements that are written one by one make the same array")
  func elements() throws {
    var elements = EncodedElements()
    #expect(try text(["a": elements]) == #"{"a":[]}"#)
    for number in [1, 2] { elements.append(json: try JSON.bytes([number])) }
    #expect(try text(["a": elements]) == #"{"a":[[1],[2]]}"#)
  }

  @Test("A number that JSON lacks is not written")
  func unwritable() {
    for number in [Double.nan, .infinity] {
      #expect(throws: EncodingError.self) { try JSON.bytes([number]) }
    }
  }
}
