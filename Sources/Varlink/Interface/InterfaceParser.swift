extension InterfaceDescription {
  /// Parses an interface text (UAPI.20, Interface Definition). Throws where it violates the grammar, declares
  /// a name twice, or names an undeclared type.
  public init(parsing text: String) throws(InterfaceError) {
    var parser = InterfaceParser(text)
    self = try parser.interface()
  }
}

private struct InterfaceParser {
  private static let deepest = 32

  private var scanner: InterfaceScanner
  private var types: [String: InterfaceDescription.ValueType] = [:]
  private var methods: [String: InterfaceDescription.Method] = [:]
  private var errors: [String: [InterfaceDescription.Field]] = [:]
  /// Each type used, with the first line that uses it.
  private var references: [String: Int] = [:]
  private var depth = 0

  init(_ text: String) {
    scanner = InterfaceScanner(text)
  }

  mutating func interface() throws(InterfaceError) -> InterfaceDescription {
    guard scanner.word() == "interface" else { throw scanner.failure("expected 'interface'") }
    let name = scanner.word(also: ".-")
    guard InterfaceName.isInterface(name) else { throw scanner.failure("'\(name)' is no interface name") }
    repeat {
      guard scanner.skipSpace() else { throw scanner.failure("expected a line break") }
      try member()
    } while !scanner.isAtEnd()
    for (name, line) in references.sorted(by: { $0.value < $1.value }) where types[name] == nil {
      throw InterfaceError(line: line, reason: "type '\(name)' is not declared")
    }
    return InterfaceDescription(name: name, types: types, methods: methods, errors: errors)
  }

  private mutating func member() throws(InterfaceError) {
    let keyword = scanner.word()
    guard ["type", "method", "error"].contains(keyword) else {
      throw scanner.failure("expected 'type', 'method' or 'error'")
    }
    let name = scanner.word()
    guard InterfaceName.isMember(name) else { throw scanner.failure("'\(name)' is no name of a \(keyword)") }
    guard types[name] == nil, methods[name] == nil, errors[name] == nil else {
      throw scanner.failure("'\(name)' is declared twice")
    }
    switch keyword {
    case "type": types[name] = try parenthesized()
    case "error": errors[name] = try structure()
    default:
      let input = try structure()
      try scanner.expect("->")
      methods[name] = InterfaceDescription.Method(input: input, output: try structure())
    }
  }

  private mutating func structure() throws(InterfaceError) -> [InterfaceDescription.Field] {
    guard case .structure(let fields) = try parenthesized() else {
      throw scanner.failure("expected fields with types")
    }
    return fields
  }

  private mutating func type() throws(InterfaceError) -> InterfaceDescription.ValueType {
    guard scanner.take("?") else { return try containerOrElement() }
    let type = try containerOrElement()
    return .nullable(type)
  }

  private mutating func containerOrElement() throws(InterfaceError) -> InterfaceDescription.ValueType {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw scanner.failure("types are nested too deep") }
    if scanner.take("[]") { return .array(try type()) }
    if scanner.take("[string]") { return .map(try type()) }
    if scanner.peek("(") { return try parenthesized() }
    let word = scanner.word()
    switch word {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case "any": return .any
    default:
      guard InterfaceName.isMember(word) else { throw scanner.failure("expected a type") }
      references[word] = references[word] ?? scanner.line
      return .named(word)
    }
  }

  /// A structure or an enumeration: the token after the first name decides.
  private mutating func parenthesized() throws(InterfaceError) -> InterfaceDescription.ValueType {
    try scanner.expect("(")
    if scanner.take(")") { return .structure([]) }
    var names: Set<String> = []
    let first = try fieldName(&names)
    guard scanner.take(":") else {
      var values = [first]
      while scanner.take(",") { values.append(try fieldName(&names)) }
      try scanner.expect(")")
      return .enumeration(values)
    }
    var fields = [InterfaceDescription.Field(name: first, type: try type())]
    while scanner.take(",") {
      let name = try fieldName(&names)
      try scanner.expect(":")
      fields.append(InterfaceDescription.Field(name: name, type: try type()))
    }
    try scanner.expect(")")
    return .structure(fields)
  }

  private mutating func fieldName(_ names: inout Set<String>) throws(InterfaceError) -> String {
    let name = scanner.word(also: "_")
    guard InterfaceName.isField(name) else { throw scanner.failure("'\(name)' is no field name") }
    guard names.insert(name).inserted else { throw scanner.failure("field '\(name)' is declared twice") }
    return name
  }
}
