import EggProtocol
import Gettext
import Varlink

/// One session of the Model Context Protocol, revision 2025-06-18, as a server of tools: JSON-RPC 2.0, a message a line.
///
/// Each call of a tool is one call of eggd, over a connection of its own, on which eggd refuses commands.
final class AssistantSession {
  /// Known revisions, the latest first; they differ in nothing that is used here.
  private static let revisions = ["2025-06-18", "2024-11-05"]

  private let surroundings: Surroundings
  private let tools = AssistantTool.all
  /// What the assistant calls itself; nil before it has.
  private var name: String?

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// A message that cannot be answered with a result; `code` is JSON-RPC's.
  private struct Refusal: Error {
    var code: Int64
    var message: String

    static func invalid(_ message: String) -> Refusal { Refusal(code: -32600, message: message) }
    static func parameters(_ message: String) -> Refusal { Refusal(code: -32602, message: message) }
  }

  /// nil for what asks for no answer.
  func answer(to line: [UInt8]) -> String? {
    var id = JSONTree.null
    do {
      guard line.count <= ProgramLines.longestLine else {
        throw Refusal.invalid("a message has at most \(ProgramLines.longestLine) bytes")
      }
      guard let message = try? JSONTree(line) else {
        throw Refusal(code: -32700, message: "not JSON")
      }
      switch message["id"] {
      case .text?, .integer?: id = message["id"] ?? .null
      case nil: break
      default: throw Refusal.invalid("an id is a string or an integer")
      }
      guard message["jsonrpc"] == .text("2.0"), let method = message["method"]?.string else {
        // Nothing is asked of the client, so what it answers is of no use.
        if message["result"] != nil || message["error"] != nil { return nil }
        throw Refusal.invalid("not a request of JSON-RPC 2.0")
      }
      guard message["id"] != nil else { return nil }
      return Self.text(id, "result", try result(of: method, message["params"] ?? .object([:])))
    } catch {
      let refusal = error as? Refusal ?? Refusal(code: -32603, message: "\(error)")
      return Self.text(
        id, "error", .object(["code": .integer(refusal.code), "message": .text(refusal.message)]))
    }
  }

  private static func text(_ id: JSONTree, _ name: String, _ value: JSONTree) -> String? {
    try? JSON.text(JSONTree.object(["jsonrpc": .text("2.0"), "id": id, name: value]))
  }

  private func result(of method: String, _ parameters: JSONTree) throws -> JSONTree {
    switch method {
    case "initialize":
      let asked = parameters["protocolVersion"]?.string ?? ""
      name = parameters["clientInfo"]?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "an assistant"
      return .object([
        "protocolVersion": .text(Self.revisions.first { $0 == asked } ?? Self.revisions[0]),
        "capabilities": .object(["tools": .object([:])]),
        "serverInfo": .object(["name": .text("eggd"), "version": .text(Product.version)]),
        "instructions": .text(AssistantTool.instructions),
      ])
    case "ping": return .object([:])
    case "tools/list": return .object(["tools": .array(tools.map(\.description))])
    case "tools/call": return try call(parameters)
    default: throw Refusal(code: -32601, message: "no method '\(method.visible)'")
    }
  }

  private func call(_ parameters: JSONTree) throws -> JSONTree {
    guard let name else { throw Refusal.invalid("initialize comes first") }
    let wanted = parameters["name"]?.string ?? ""
    guard let tool = tools.first(where: { $0.name == wanted }) else {
      throw Refusal.parameters("no tool '\(wanted.visible)'")
    }
    guard case .object(var arguments) = parameters["arguments"] ?? .object([:]) else {
      throw Refusal.parameters("'arguments' is no object")
    }
    if let unknown = arguments.keys.sorted().first(where: { !tool.parameters.contains($0) }) {
      throw Refusal.parameters("\(tool.name) has no '\(unknown.visible)'")
    }
    do {
      if arguments["expression"] != nil || arguments["until"]?.string != nil, arguments["zone"] == nil {
        arguments["zone"] = try surroundings.zoneName().map { .text($0) }
      }
      let reply = try ask(tool, .object(arguments), name)
      return Self.content(try lines(of: reply) + [JSON.text(reply)], isError: false)
    } catch let failure as Failure {
      return Self.content([try JSON.text(FailureDocument(failure))], isError: true)
    }
  }

  private static func content(_ texts: [String], isError: Bool) -> JSONTree {
    .object([
      "content": .array(texts.map { .object(["type": .text("text"), "text": .text($0)]) }),
      "isError": .bool(isError),
    ])
  }

  /// What fits the call of Relay.
  private static func short(_ name: String) -> String {
    var name = name.prefix(60)
    while name.utf8.count > 255 { name = name.dropLast() }
    return String(name)
  }

  /// Throws ``Failure``.
  private func ask(_ tool: AssistantTool, _ arguments: JSONTree, _ name: String) throws -> JSONTree {
    let connection = try Connection(surroundings)
    _ = try connection.read(RelayCall(from: Self.short(name)))
    _ = try connection.read(ForbidCommandsCall())
    let client = connection.client.connection
    do throws(VarlinkClientError) {
      try client.send("\(ScheduleInterface.name).\(tool.method)", arguments)
      return try client.receive(as: JSONTree.self, timeout: surroundings.patience(0))
    } catch {
      let refusal = ScheduleClientError(error)
      if case .invalidParameter(let name) = refusal, arguments[name] == nil {
        throw Failure(.usage, tr("'\(name.visible)' is missing"))
      }
      throw Connection.failure(of: refusal, precondition: tool.precondition, surroundings)
    }
  }

  /// The alarms of a reply, as eggctl prints them.
  private func lines(of reply: JSONTree) throws -> [String] {
    struct Alarms: Decodable {
      var alarm: WireAlarm?
      var alarms: [WireAlarm]?
    }
    guard let read = try? JSON.value(try JSON.bytes(reply), as: Alarms.self) else { return [] }
    let text = AlarmText(moments: try Moments(surroundings))
    let lines = ([read.alarm].compactMap(\.self) + (read.alarms ?? [])).map { text.line($0) }
    return lines.isEmpty ? [] : [lines.joined()]
  }
}
