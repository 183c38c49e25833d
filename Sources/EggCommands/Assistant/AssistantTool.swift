import EggProtocol
import Gettext
import Varlink

/// A method of eggd's interface as a tool of an assistant; its words and the form of its parameters are the interface's.
struct AssistantTool {
  let method: String
  /// Those that an assistant may give.
  let parameters: Set<String>
  /// As `tools/list` gives it.
  let description: JSONTree

  var name: String { method.lowercased() }

  /// The state that the call needs.
  var precondition: String? {
    switch method {
    case "Snooze": Snooze.precondition
    case "Dismiss": Dismiss.precondition
    case "Edit": tr("only recurring alarms have a beginning, an end, a count or days off")
    default: nil
    }
  }

  private static let methods = [
    "Schedule", "List", "Show", "Edit", "Delete", "Snooze", "Dismiss", "Undo", "Resolve",
  ]
  private static let reading: Set<String> = ["List", "Show", "Resolve"]
  /// Commands and files are not for an assistant; the others are of use to programs only.
  private static let withheld: Set<String> = [
    "run", "runUnanswered", "icon", "sound", "anniversary", "fields",
  ]

  static let all: [AssistantTool] = {
    let text = ScheduleInterface.text
    guard let interface = try? InterfaceDescription(parsing: text) else { return [] }
    return methods.compactMap { method in
      interface.methods[method].map {
        AssistantTool(method, $0, comment(before: "method \(method)("), interface)
      }
    }
  }()

  /// What holds for all tools.
  static let instructions =
    "The alarms of the person at this machine. " + comment(before: "interface ")
    + " An expression is what the person says: 6m30s, tomorrow 07:30, every monday 9:00. Pass it on in their words."
    + " InvalidExpression with readings means that there are several: ask the person which one."

  /// The interface's comment above a line.
  private static func comment(before start: String) -> String {
    let lines = ScheduleInterface.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let line = lines.firstIndex(where: { $0.hasPrefix(start) }) else { return "" }
    let comment = lines[..<line].reversed().prefix { $0.hasPrefix("#") }.reversed()
    return comment.map { $0.dropFirst(2) }.joined(separator: " ")
  }

  private init(
    _ method: String, _ declared: InterfaceDescription.Method, _ comment: String,
    _ interface: InterfaceDescription
  ) {
    let fields = declared.input.filter { !Self.withheld.contains($0.name) }
    self.method = method
    parameters = Set(fields.map(\.name))
    let isReading = Self.reading.contains(method)
    description = .object([
      "name": .text(method.lowercased()),
      "description": .text(comment),
      "inputSchema": Self.schema(fields, interface),
      "annotations": .object([
        "readOnlyHint": .bool(isReading),
        "destructiveHint": .bool(!isReading && method != "Schedule"),
        "openWorldHint": .bool(false),
      ]),
    ])
  }

  private static func schema(_ fields: [InterfaceDescription.Field], _ interface: InterfaceDescription)
    -> JSONTree
  {
    var required: [JSONTree] = []
    var properties: [String: JSONTree] = [:]
    for field in fields {
      if case .nullable = field.type {} else { required.append(.text(field.name)) }
      properties[field.name] = schema(field.type, interface)
    }
    return .object([
      "type": .text("object"), "properties": .object(properties), "required": .array(required),
      "additionalProperties": .bool(false),
    ])
  }

  private static func schema(
    _ type: InterfaceDescription.ValueType, _ interface: InterfaceDescription
  ) -> JSONTree {
    func named(_ name: String) -> JSONTree { .object(["type": .text(name)]) }
    return switch type {
    case .bool: named("boolean")
    case .int: named("integer")
    case .float: named("number")
    case .string: named("string")
    case .object, .any: .object([:])
    case .nullable(let inner): schema(inner, interface)
    case .array(let inner): .object(["type": .text("array"), "items": schema(inner, interface)])
    case .map(let inner):
      .object(["type": .text("object"), "additionalProperties": schema(inner, interface)])
    case .structure(let fields): schema(fields, interface)
    // A call sends `other` as a category only.
    case .named("Category"):
      .object(["enum": .array(["soft", "medium", "hard", "other"].map(JSONTree.text))])
    case .named(let name): interface.types[name].map { schema($0, interface) } ?? .object([:])
    case .enumeration(let names): .object(["enum": .array(names.filter { $0 != "other" }.map(JSONTree.text))])
    }
  }
}
