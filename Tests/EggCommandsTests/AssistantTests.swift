import Testing
import Varlink

@testable import EggCommands

@Suite("eggctl mcp")
struct AssistantTests {
  private static let hello =
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","clientInfo":{"name":"a"}}}"#

  private static func session() -> AssistantSession {
    AssistantSession(.test(output: Output(colours: (false, false)) { _, _ in }, directory: "/nonexistent"))
  }

  /// The answers to messages of one session.
  private static func answers(_ lines: String...) throws -> [JSONTree] {
    let session = session()
    return try lines.compactMap { session.answer(to: Array($0.utf8)) }.map { try JSONTree(Array($0.utf8)) }
  }

  @Test("The revision that is asked for is answered, or the one that is served")
  func revision() throws {
    let newer = Self.hello.replacing("2024-11-05", with: "2099-01-01")
    let versions = try Self.answers(Self.hello, newer).map { $0["result"]?["protocolVersion"] }
    #expect(versions == [.text("2024-11-05"), .text("2025-06-18")])
  }

  @Test(
    "What is no request is refused with JSON-RPC's code and the message's id",
    arguments: [
      ("{", -32700, .null), ("[]", -32600, .null), (#"{"id":7}"#, -32600, .integer(7)),
      (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":"x","method":"nosuch"}"#, -32601, .text("x")),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nosuch"}}"#, -32602, .integer(1)),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"schedule","arguments":{"run":"x"}}}"#,
        -32602,
        .integer(1)
      ),
    ] as [(String, Int64, JSONTree)])
  func refusals(line: String, code: Int64, id: JSONTree) throws {
    let answer = try #require(try Self.answers(Self.hello, line).last)
    #expect(answer["error"]?["code"] == .integer(code))
    #expect(answer["id"] == id)
  }

  @Test("Notifications and answers are not answered, and a tool is called behind initialize only")
  func order() throws {
    let quiet = try Self.answers(
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    #expect(quiet.isEmpty)
    let early = try Self.answers(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list"}}"#)
    #expect(early.first?["error"]?["code"] == .integer(-32600))
  }

  /// The answer where eggd refuses the tool's call.
  private static func answer(to tool: String, refusedWith error: String) throws -> String {
    let daemon = try ScriptedDaemon([.reply("{}"), .reply("{}"), .messages([error])])
    defer { daemon.end() }
    let output = Output(colours: (false, false)) { _, _ in }
    let session = AssistantSession(.test(output: output, directory: daemon.directory))
    _ = session.answer(to: Array(hello.utf8))
    let call = #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"\#(tool)","arguments":{}}}"#
    return try #require(session.answer(to: Array(call.utf8)))
  }

  @Test("A parameter that is missing is said to be missing") func missing() throws {
    let error = #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"expression"}}"#
    let answer = try Self.answer(to: "schedule", refusedWith: error)
    #expect(answer.contains("'expression' is missing"), "\(answer)")
  }

  @Test(
    "An alarm in another state is said to be in it, with the state that is needed",
    arguments: [
      ("snooze", "only ringing alarms can be snoozed"),
      ("dismiss", "only ringing or snoozed alarms can be dismissed"),
      ("edit", "only recurring alarms have a beginning, an end, a count or days off"),
    ])
  func wrongState(tool: String, needed: String) throws {
    let error = #"{"error":"io.eggd.Schedule.WrongState","parameters":{"number":12,"state":"scheduled"}}"#
    let answer = try Self.answer(to: tool, refusedWith: error)
    #expect(answer.contains("alarm 12 is scheduled: \(needed)"), "\(answer)")
  }

  @Test("Without eggd a tool answers with the error and the next command")
  func away() throws {
    let call = #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list"}}"#
    let answer = try #require(try Self.answers(Self.hello, call).last)
    #expect(answer["result"]?["isError"] == .bool(true))
    guard case .array(let content)? = answer["result"]?["content"] else {
      Issue.record("no content: \(answer)")
      return
    }
    let document = try JSONTree(Array((content.first?["text"]?.string ?? "").utf8))
    #expect(document["error"] == .text("unavailable"))
    #expect(document["hint"]?.string?.hasPrefix("systemctl --user") == true)
  }
}
