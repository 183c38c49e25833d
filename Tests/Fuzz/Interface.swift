@testable import Varlink

/// The input is an interface text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  do throws(InterfaceError) {
    let interface = try InterfaceDescription(parsing: text)
    guard try InterfaceDescription(parsing: interface.written) == interface else {
      fatalError("\(text) reads as something else when it is written")
    }
    // what it declares is held against parameters, nested as deep as they may be
    let check = ParameterCheck(interface: interface, mostValues: 1000)
    for method in interface.methods.values {
      for fields in [method.input, method.output] {
        for json in [#"{}"#, deep("{\"a\":", "}"), deep("{\"a\":[", "]}")] {
          let bytes = Array(json.utf8)
          try? check.check(bytes, bytes.indices, against: fields)
        }
      }
    }
  } catch {
    guard !error.reason.isEmpty, (0...count + 1).contains(error.line) else { fatalError("\(error)") }
  }
  return 0
}

private func deep(_ begin: String, _ end: String) -> String {
  String(repeating: begin, count: 20) + "1" + String(repeating: end, count: 20)
}

extension InterfaceDescription {
  /// A text that declares the same.
  fileprivate var written: String {
    var lines = ["interface \(name)"]
    lines += types.map { "type \($0) \($1.written)" }
    lines += methods.map { "method \($0) \(Self.fields($1.input)) -> \(Self.fields($1.output))" }
    lines += errors.map { "error \($0) \(Self.fields($1))" }
    return lines.joined(separator: "\n")
  }

  fileprivate static func fields(_ fields: [Field]) -> String {
    "(" + fields.map { "\($0.name): \($0.type.written)" }.joined(separator: ", ") + ")"
  }
}

extension InterfaceDescription.ValueType {
  fileprivate var written: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .object: "object"
    case .any: "any"
    case .named(let name): name
    case .structure(let fields): InterfaceDescription.fields(fields)
    case .enumeration(let values): "(" + values.joined(separator: ", ") + ")"
    case .array(let type): "[]" + type.written
    case .map(let type): "[string]" + type.written
    case .nullable(let type): "?" + type.written
    }
  }
}
