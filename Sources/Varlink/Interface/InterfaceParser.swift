extension InterfaceDescription {
  /// Parses an interface text (UAPI.20, Interface Definition). The texts are this program's own: not all that the grammar
  /// forbids is refused.
  public init(parsing text: String) throws(InterfaceError) {
    var parser = InterfaceParser(text)
    self = try parser.interface()
  }
}

/// What was found in a text instead of what must be there.
public struct InterfaceError: Error, Equatable, Sendable {
  let found: String?
  let expected: String
}

private struct InterfaceParser {
  /// Words and marks, the last first.
  private var tokens: [Substring] = []

  init(_ text: String) {
    // Bytes: eggd waits for this at its start, and characters take ten times as long.
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      var rest = line.prefix { $0 != UInt8(ascii: "#") }
      while let first = rest.first {
        let token = Self.isOfWord(first) ? rest.prefix(while: Self.isOfWord) : rest.prefix(1)
        rest = rest[token.endIndex...]
        if first != UInt8(ascii: " ") { tokens.append(Substring(token)) }
      }
    }
    tokens.reverse()
  }

  /// An arrow counts as a word.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: ">"):
      true
    default: false
    }
  }

  private mutating func take(_ token: String) -> Bool {
    guard tokens.last.map({ $0 == token }) == true else { return false }
    tokens.removeLast()
    return true
  }

  private mutating func expect(_ token: String) throws(InterfaceError) {
    guard take(token) else { throw failure(token) }
  }

  private func failure(_ expected: String) -> InterfaceError {
    InterfaceError(found: tokens.last.map { String($0) }, expected: expected)
  }

  private mutating func word() throws(InterfaceError) -> String {
    guard let word = tokens.last, word.first?.isLetter == true else { throw failure("a word") }
    tokens.removeLast()
    return String(word)
  }

  mutating func interface() throws(InterfaceError) -> InterfaceDescription {
    var types: [String: InterfaceDescription.ValueType] = [:]
    var methods: [String: InterfaceDescription.Method] = [:]
    var errors: [String: [InterfaceDescription.Field]] = [:]
    try expect("interface")
    let name = try word()
    while !tokens.isEmpty {
      let keyword = try word()
      let name = try word()
      switch keyword {
      case "type": types[name] = try parenthesized()
      case "error": errors[name] = try structure()
      case "method":
        let input = try structure()
        try expect("->")
        methods[name] = InterfaceDescription.Method(input: input, output: try structure())
      default: throw failure("a member before this")
      }
    }
    return InterfaceDescription(name: name, types: types, methods: methods, errors: errors)
  }

  private mutating func structure() throws(InterfaceError) -> [InterfaceDescription.Field] {
    guard case .structure(let fields) = try parenthesized() else { throw failure("fields before this") }
    return fields
  }

  private mutating func type() throws(InterfaceError) -> InterfaceDescription.ValueType {
    if take("?") { return .nullable(try type()) }
    if take("[") {
      let isMap = take("string")
      try expect("]")
      return isMap ? .map(try type()) : .array(try type())
    }
    if tokens.last == "(" { return try parenthesized() }
    let name = try word()
    switch name {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case "any": return .any
    default: return .named(name)
    }
  }

  /// A structure, or an enumeration if the names have no types.
  private mutating func parenthesized() throws(InterfaceError) -> InterfaceDescription.ValueType {
    try expect("(")
    if take(")") { return .structure([]) }
    var names: [String] = []
    var fields: [InterfaceDescription.Field] = []
    repeat {
      let name = try word()
      if take(":") {
        fields.append(InterfaceDescription.Field(name: name, type: try type()))
      } else {
        names.append(name)
      }
    } while take(",")
    guard names.isEmpty || fields.isEmpty else { throw failure("types of all fields before this") }
    try expect(")")
    return names.isEmpty ? .structure(fields) : .enumeration(names)
  }
}
