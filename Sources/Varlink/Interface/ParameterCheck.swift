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
      try structure(fields, &scanner, path: "")
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(field: "parameters")
    }
  }

  private func structure(
    _ fields: [InterfaceDescription.Field], _ scanner: inout JSONScanner, path: String
  ) throws {
    guard try scanner.kind() == .object else { throw Fault(field: path) }
    var isSeen = [Bool](repeating: false, count: fields.count)
    var object = try scanner.beginObject()
    while try scanner.nextKey(&object) {
      let name = scanner.text(object.key)
      let inner = path.isEmpty ? name : "\(path).\(name)"
      guard let index = fields.firstIndex(where: { $0.name == name }), !isSeen[index] else {
        throw Fault(field: inner)
      }
      isSeen[index] = true
      try value(fields[index].type, &scanner, path: inner)
      try checkCount(scanner, path: inner)
    }
    for (field, isSeen) in zip(fields, isSeen) where !isSeen {
      if case .nullable = field.type { continue }
      throw Fault(field: path.isEmpty ? field.name : "\(path).\(field.name)")
    }
  }

  private func value(
    _ type: InterfaceDescription.ValueType, _ scanner: inout JSONScanner, path: String
  ) throws {
    let kind = try scanner.kind()
    switch (type, kind) {
    case (.nullable, .null): try scanner.null()
    case (.nullable(let type), _): try value(type, &scanner, path: path)
    case (.named(let name), _): try value(interface.types[name] ?? .any, &scanner, path: path)
    case (.bool, .bool): _ = try scanner.bool()
    case (.string, .string), (.object, .object): try scanner.skipValue()
    case (.any, _) where kind != .null: try scanner.skipValue()
    case (.int, .number), (.float, .number): try number(type, &scanner, path: path)
    case (.enumeration(let values), .string):
      guard values.contains(scanner.text(try scanner.string())) else { throw Fault(field: path) }
    case (.structure(let fields), .object): try structure(fields, &scanner, path: path)
    case (.array(let type), .array):
      var elements = try scanner.beginArray()
      while try scanner.nextElement(&elements) {
        try checkCount(scanner, path: path)
        try value(type, &scanner, path: path)
      }
    case (.map(let type), .object):
      var seen: Set<String> = []
      var members = try scanner.beginObject()
      while try scanner.nextKey(&members) {
        guard seen.insert(scanner.text(members.key)).inserted else { throw Fault(field: path) }
        try value(type, &scanner, path: path)
      }
    default: throw Fault(field: path)
    }
  }

  private func checkCount(_ scanner: JSONScanner, path: String) throws {
    if scanner.values > mostValues { throw Fault(field: path) }
  }

  /// An int has no fraction or exponent and fits 64 bits; a float is finite.
  private func number(
    _ type: InterfaceDescription.ValueType, _ scanner: inout JSONScanner, path: String
  ) throws {
    let number = try scanner.number()
    let text = String(decoding: scanner.bytes[number.range], as: UTF8.self)
    let isTaken =
      if type == .int { number.isWhole && Int64(text) != nil } else { Double(text)?.isFinite ?? false }
    guard isTaken else { throw Fault(field: path) }
  }
}
