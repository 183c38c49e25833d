import Testing

@testable import Varlink

/// Every kind of wrong call in UAPI.20, over a real socket.
@Suite struct MalformedCallTests {
  struct Case: CustomTestStringConvertible {
    var what: String
    var sent: [UInt8]
    /// nil: the connection is closed without a reply.
    var reply: String?
    var testDescription: String { what }

    init(_ what: String, _ sent: String, _ reply: String? = nil) {
      self.init(what, bytes: Array(sent.utf8) + [0], reply)
    }

    init(_ what: String, bytes: [UInt8], _ reply: String? = nil) {
      self.what = what
      sent = bytes
      self.reply = reply
    }
  }

  private static func service(_ error: String, _ key: String, _ value: String) -> String {
    #"{"error":"org.varlink.service.\#(error)","parameters":{"\#(key)":"\#(value)"}}"#
  }

  private static func invalid(_ field: String) -> String { service("InvalidParameter", "parameter", field) }

  private static func nested(_ depth: Int) -> String {
    call("Sum", #"{"numbers":[],"extra":{"a":\#(String(repeating: "[", count: depth))"#)
  }

  static let closed: [Case] = [
    Case("no JSON", "hello"),
    Case("an empty message", ""),
    Case("white space only", " \n"),
    Case("JSON cut short", #"{"method":"org.example.test.Echo""#),
    Case("something behind the object", #"{"method":"org.example.test.Echo"} x"#),
    Case("two objects in one message", call("Refuse") + call("Refuse")),
    Case("a trailing comma", #"{"method":"org.example.test.Refuse",}"#),
    Case("single quotes", "{'method':'org.example.test.Refuse'}"),
    Case(
      "bytes that are not UTF-8", bytes: Array(#"{"method":""#.utf8) + [0xFF, 0xFE] + Array("\"}".utf8) + [0]),
    Case("UTF-16", bytes: Array(call("Refuse").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })),
    Case("half a surrogate", #"{"method":"org.example.test.Echo","parameters":{"text":"\ud800"}}"#),
    Case("a control character in a string", "{\"method\":\"org.example.test.Echo\n\"}"),
    Case("an array", "[]"),
    Case("a string", #""org.example.test.Refuse""#),
    Case("null", "null"),
    Case("no method", "{}"),
    Case("no method but parameters", #"{"parameters":{}}"#),
    Case("a method that is null", #"{"method":null}"#),
    Case("a method that is a number", #"{"method":1}"#),
    Case("an unknown member", #"{"method":"org.example.test.Refuse","id":1}"#),
    Case("a vendor's member that is no object", #"{"method":"org.example.test.Refuse","org.example":1}"#),
    Case("a repeated member", #"{"method":"org.example.test.Refuse","method":"org.example.test.Refuse"}"#),
    Case("a repeated member in disguise", #"{"method":"org.example.test.Refuse","m\u0065thod":"x"}"#),
    Case("parameters that are an array", call("Refuse", "[]")),
    Case("parameters that are a string", call("Refuse", #""x""#)),
    Case("a flag that is a number", #"{"method":"org.example.test.Refuse","more":1}"#),
    Case("a flag that is a string", #"{"method":"org.example.test.Refuse","oneway":"true"}"#),
    Case("more and oneway", #"{"method":"org.example.test.Refuse","more":true,"oneway":true}"#),
    Case("more and upgrade", #"{"method":"org.example.test.Refuse","more":true,"upgrade":true}"#),
    Case("nested deeper than is taken", nested(70) + String(repeating: "]", count: 70) + "}}}"),
    Case("a hundred thousand open brackets", nested(100_000)),
    Case("longer than 1 MiB", echo(String(repeating: "x", count: 1 << 20))),
    Case("longer than 1 MiB without an end", bytes: [UInt8](repeating: 0x20, count: (1 << 20) + 1)),
  ]

  static let answered: [Case] = [
    Case(
      "an unknown interface", #"{"method":"org.example.none.X"}"#,
      service("InterfaceNotFound", "interface", "org.example.none")),
    Case(
      "a method without an interface", #"{"method":"Echo"}"#, service("InterfaceNotFound", "interface", "")),
    Case("an empty method", #"{"method":""}"#, service("InterfaceNotFound", "interface", "")),
    Case("an unknown method", call("None"), service("MethodNotFound", "method", "org.example.test.None")),
    Case(
      "a method in the wrong case", call("echo"), service("MethodNotFound", "method", "org.example.test.echo")
    ),
    Case(
      "an interface's name alone", #"{"method":"org.example.test."}"#,
      service("MethodNotFound", "method", "org.example.test.")),
    Case(
      "an unknown method of the service interface", #"{"method":"org.varlink.service.X"}"#,
      service("MethodNotFound", "method", "org.varlink.service.X")),
    Case("an unknown parameter", call("Echo", #"{"text":"a","other":1}"#), invalid("other")),
    Case("a parameter for a method without any", call("Refuse", #"{"x":null}"#), invalid("x")),
    Case("a missing parameter", call("Echo", "{}"), invalid("text")),
    Case("missing parameters", call("Echo"), invalid("text")),
    Case("parameters that are null", call("Echo", "null"), invalid("text")),
    Case("a parameter that is null", call("Echo", #"{"text":null}"#), invalid("text")),
    Case("a parameter twice", call("Echo", #"{"text":"a","text":"b"}"#), invalid("text")),
    Case("a number for a string", call("Echo", #"{"text":1}"#), invalid("text")),
    Case("a string for an int", call("Text", #"{"bytes":"1"}"#), invalid("bytes")),
    Case("a fraction for an int", call("Text", #"{"bytes":1.0}"#), invalid("bytes")),
    Case("an exponent for an int", call("Text", #"{"bytes":1e2}"#), invalid("bytes")),
    Case("an int beyond 64 bits", call("Text", #"{"bytes":9223372036854775808}"#), invalid("bytes")),
    Case(
      "an int of a thousand digits", call("Text", #"{"bytes":\#(String(repeating: "9", count: 1_000))}"#),
      invalid("bytes")),
    Case("a float beyond all bounds", call("Sum", #"{"numbers":[],"factor":1e999}"#), invalid("factor")),
    Case(
      "more numbers than a call may have",
      call("Sum", #"{"numbers":[\#(Array(repeating: "1", count: 40_000).joined(separator: ","))]}"#),
      invalid("numbers")),
    Case("a bool for an array", call("Sum", #"{"numbers":true}"#), invalid("numbers")),
    Case("a string in an array of ints", call("Sum", #"{"numbers":[1,"2"]}"#), invalid("numbers")),
    Case("null in an array", call("Sum", #"{"numbers":[null]}"#), invalid("numbers")),
    Case("an undeclared enumeration value", call("Sum", #"{"numbers":[],"color":"blue"}"#), invalid("color")),
    Case("a number for an enumeration", call("Sum", #"{"numbers":[],"color":0}"#), invalid("color")),
    Case(
      "an unknown field inside", call("Sum", #"{"numbers":[],"point":{"x":1,"z":1}}"#), invalid("point.z")),
    Case("a missing field inside", call("Sum", #"{"numbers":[],"point":{"y":1}}"#), invalid("point.x")),
    Case("a wrong type inside", call("Sum", #"{"numbers":[],"point":{"x":[]}}"#), invalid("point.x")),
    Case("an array for a structure", call("Sum", #"{"numbers":[],"point":[]}"#), invalid("point")),
    Case("a number for a bool", call("Sum", #"{"numbers":[],"flag":1}"#), invalid("flag")),
    Case("an array for an object", call("Sum", #"{"numbers":[],"extra":[]}"#), invalid("extra")),
    Case("a string in a map of ints", call("Sum", #"{"numbers":[],"table":{"a":"b"}}"#), invalid("table")),
    Case("a key twice in a map", call("Sum", #"{"numbers":[],"table":{"a":1,"a":2}}"#), invalid("table")),
    Case(
      "upgrade", call("Refuse", nil, "upgrade"),
      service("MethodNotImplemented", "method", "org.example.test.Refuse")),
    Case(
      "no more where it is needed", call("Count", #"{"to":2}"#),
      #"{"error":"org.varlink.service.ExpectedMore"}"#),
    Case(
      "more where there is one reply", call("Echo", #"{"text":"a"}"#, "more"), #"{"parameters":{"text":"a"}}"#
    ),
    Case(
      "the description of an unknown interface",
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#,
      service("InterfaceNotFound", "interface", "a.b")),
  ]

  static let accepted: [Case] = [
    Case(
      "false flags",
      #"{"method":"org.example.test.Echo","parameters":{"text":"a"},"more":false,"oneway":false}"#),
    Case(
      "null flags",
      #"{"method":"org.example.test.Echo","parameters":{"text":"a"},"more":null,"upgrade":null}"#),
    Case(
      "a vendor's object",
      #"{"org.example":{"a":[1]},"method":"org.example.test.Echo","parameters":{"text":"a"}}"#),
    Case(
      "white space", " {\n\"method\" : \"org.example.test.Echo\",\t\"parameters\" : {\"text\" : \"a\"} }\r\n"),
    Case("escapes", #"{"\u006dethod":"org.example.test.Ec\u0068o","parameters":{"te\u0078t":"\u0061"}}"#),
  ]

  @Test(
    "A malformed message closes the connection without a reply, after earlier calls are answered",
    arguments: closed)
  func closes(_ malformed: Case) throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(echo("before"))
    client.send(malformed.sent)
    #expect(client.receive() == echoReply("before"))
    #expect(client.receive() == .closed)
  }

  @Test(
    "A call that cannot be served gets exactly this reply, and the connection stays open", arguments: answered
  )
  func answers(_ malformed: Case) throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(malformed.sent)
    client.send(echo("after"))
    #expect(client.receive() == malformed.reply.map { .message($0) })
    #expect(client.receive() == echoReply("after"))
  }

  @Test("A call that UAPI.20 allows is accepted", arguments: accepted)
  func takes(_ call: Case) throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(call.sent)
    #expect(client.receive() == echoReply("a"))
  }

  @Test("A call without its NUL at the end of the stream is ignored, and earlier calls are answered")
  func missingNul() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(Array(echo("whole").utf8) + [0] + Array(call("Echo", #"{"text":"cut"}"#, "oneway").utf8))
    client.finish()
    #expect(client.receive() == echoReply("whole"))
    #expect(client.receive() == .closed)
    #expect(service.onewayTexts == [])
  }

  @Test("Every optional parameter may be present, absent or null")
  func optionals() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(
      call("Sum", #"{"numbers":[1,2]}"#), call("Sum", #"{"numbers":[3],"point":null,"color":null}"#),
      call(
        "Sum",
        #"{"numbers":[4],"point":{"x":1,"y":null},"color":"red","factor":1,"flag":false,"#
          + #""extra":{"a":{"b":[1,null,1e999]}},"table":{"a":-1}}"#))
    #expect(client.receive() == .message(#"{"parameters":{"sum":3}}"#))
    #expect(client.receive() == .message(#"{"parameters":{"sum":3}}"#))
    #expect(client.receive() == .message(#"{"parameters":{"sum":4}}"#))
  }

  @Test("A oneway call gets no reply, not even an error")
  func oneway() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(
      call("Echo", #"{"text":"quiet"}"#, "oneway"), call("None", nil, "oneway"), call("Echo", "{}", "oneway"),
      call("Forget", nil, "oneway"), echo("loud"))
    #expect(client.receive() == echoReply("loud"))
    #expect(service.onewayTexts == ["quiet"])
  }
}
