public struct VarlinkInterface {
  /// Reverse-domain.
  public var name: String { description.name }
  /// Returned by GetInterfaceDescription.
  public let text: String
  public let description: InterfaceDescription
  /// Called on the server's queue for each call of a declared method whose parameters have the declared form.
  /// Answers by `reply` or `fail`, now or later.
  public let handle: (ServerCall) -> Void

  /// Throws when the text cannot be parsed.
  public init(text: String, handle: @escaping (ServerCall) -> Void) throws(InterfaceError) {
    description = try InterfaceDescription(parsing: text)
    self.text = text
    self.handle = handle
  }
}

/// Finds the interface for a call, or refuses the call.
struct Router {
  private let interfaces: [String: VarlinkInterface]
  private let mostValues: Int

  /// `mostValues` limits the fields and elements of a call.
  init(_ interfaces: [VarlinkInterface], mostValues: Int) {
    self.mostValues = mostValues
    self.interfaces = Dictionary(uniqueKeysWithValues: interfaces.map { ($0.name, $0) })
  }

  /// Checks the interface, the method and the parameters against the declaration.
  func route(_ message: CallMessage) throws(CallFailure) -> VarlinkInterface {
    let names = message.names
    guard let interface = interfaces[names.interface] else { throw .interfaceNotFound(names.interface) }
    guard let method = interface.description.methods[names.method] else {
      throw .methodNotFound(message.method)
    }
    do {
      let check = ParameterCheck(interface: interface.description, mostValues: mostValues)
      try check.check(message.json, message.parameters, against: method.input)
    } catch {
      throw .invalidParameter(error.field)
    }
    // No method here upgrades the connection. After the error it stays a Varlink connection.
    if message.upgrade { throw .methodNotImplemented(message.method) }
    return interface
  }
}

/// Checks parameters against their declaration before anything is decoded. UAPI.20: unknown fields and wrong
/// types are refused; null equals absent.
struct ParameterCheck {
  /// The first wrong field, with dots between parts; an array's elements have its name.
  struct Fault: Error, Equatable {
    let field: String
  }

  let interface: InterfaceDescription
  /// Limit for all fields and elements of a call; the fault names the field that exceeds it.
  var mostValues = Int.max

  /// `range` is an object in `json`, which is valid; nil means empty.
  func check(_ json: [UInt8], _ range: Range<Int>?, against fields: [InterfaceDescription.Field])
    throws(Fault)
  {
    let object = range.map { JSONScanner(checked: json, range: $0) }
    do {
      var scanner = try object ?? JSONScanner(Array("{}".utf8))
      var path = Path()
      do {
        try structure(fields, &scanner, &path)
      } catch is Wrong {
        throw Fault(field: path.text(in: scanner))
      }
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(field: "parameters")
    }
  }

  /// The field at the end of the path is wrong.
  private struct Wrong: Error {}

  /// The keys of the fields that are being read, outermost first. Only a fault needs their text.
  private struct Path {
    var keys: [Range<Int>] = []
    /// A field that is missing, below the last key.
    var missing: String?

    func text(in scanner: JSONScanner) -> String {
      (keys.map { scanner.text($0) } + [missing].compactMap(\.self)).joined(separator: ".")
    }
  }

  private func structure(
    _ fields: [InterfaceDescription.Field], _ scanner: inout JSONScanner, _ path: inout Path
  ) throws {
    guard try scanner.kind() == .object else { throw Wrong() }
    var isSeen = [Bool](repeating: false, count: fields.count)
    var next = 0
    var object = try scanner.beginObject()
    while try scanner.nextKey(&object) {
      path.keys.append(object.key)
      guard let index = Self.index(of: object.key, in: fields, from: next, scanner), !isSeen[index] else {
        throw Wrong()
      }
      isSeen[index] = true
      next = index + 1
      try value(fields[index].type, &scanner, &path)
      try checkCount(scanner)
      path.keys.removeLast()
    }
    for index in fields.indices where !isSeen[index] {
      if case .nullable = fields[index].type { continue }
      path.missing = fields[index].name
      throw Wrong()
    }
  }

  /// Fields usually come in the order of their declaration: the next one is looked at first.
  private static func index(
    of key: Range<Int>, in fields: [InterfaceDescription.Field], from next: Int, _ scanner: JSONScanner
  ) -> Int? {
    let name = scanner.bytes[key].dropFirst().dropLast()
    // With escapes it is another text than its bytes.
    guard !name.contains(UInt8(ascii: "\\")) else {
      let name = scanner.text(key)
      return fields.firstIndex { $0.name == name }
    }
    func isIt(_ index: Int) -> Bool {
      let field = fields[index].name.utf8
      return field.count == name.count && field.elementsEqual(name)
    }
    return (next..<fields.count).first(where: isIt) ?? (0..<next).first(where: isIt)
  }

  private func value(
    _ type: InterfaceDescription.ValueType, _ scanner: inout JSONScanner, _ path: inout Path
  ) throws {
    let kind = try scanner.kind()
    switch (type, kind) {
    case (.nullable, .null): try scanner.null()
    case (.nullable(let type), _): try value(type, &scanner, &path)
    case (.named(let name), _): try value(interface.types[name] ?? .any, &scanner, &path)
    case (.bool, .bool): _ = try scanner.bool()
    case (.string, .string), (.object, .object): try scanner.skipValue()
    case (.any, _) where kind != .null: try scanner.skipValue()
    // An int has no fraction or exponent and fits 64 bits; a float is finite.
    case (.int, .number): guard try Int64.read(&scanner) != nil else { throw Wrong() }
    case (.float, .number): guard try Double.read(&scanner) != nil else { throw Wrong() }
    case (.enumeration(let values), .string):
      guard values.contains(scanner.text(try scanner.string())) else { throw Wrong() }
    case (.structure(let fields), .object): try structure(fields, &scanner, &path)
    case (.array(let type), .array):
      var elements = try scanner.beginArray()
      while try scanner.nextElement(&elements) {
        try checkCount(scanner)
        try value(type, &scanner, &path)
      }
    case (.map(let type), .object):
      var seen: Set<String> = []
      var members = try scanner.beginObject()
      while try scanner.nextKey(&members) {
        guard seen.insert(scanner.text(members.key)).inserted else { throw Wrong() }
        try value(type, &scanner, &path)
      }
    default: throw Wrong()
    }
  }

  private func checkCount(_ scanner: JSONScanner) throws {
    if scanner.values > mostValues { throw Wrong() }
  }
}
