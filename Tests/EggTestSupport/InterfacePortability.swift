import Varlink

extension InterfaceDescription {
  /// Members that UAPI.20 allows but python's varlink or varlinkctl cannot read, sorted: nested containers,
  /// sets (`[string]()`), `any`, enumerations of one value. `org.varlink.certification` has some on purpose.
  public var unportableMembers: [String] {
    var found: Set<String> = []
    for (name, type) in types where !type.isPortable { found.insert(name) }
    for (name, method) in methods where !(method.input + method.output).allSatisfy({ $0.type.isPortable }) {
      found.insert(name)
    }
    for (name, fields) in errors where !fields.allSatisfy({ $0.type.isPortable }) { found.insert(name) }
    return found.sorted()
  }
}

extension InterfaceDescription.ValueType {
  fileprivate var isPortable: Bool {
    switch self {
    case .any, .map(.structure([])): false
    case .bool, .int, .float, .string, .object, .named: true
    case .structure(let fields): fields.allSatisfy { $0.type.isPortable }
    case .enumeration(let values): values.count >= 2
    case .nullable(let type): type.isPortable
    case .array(let type), .map(let type): !type.isContainer && type.isPortable
    }
  }

  private var isContainer: Bool {
    switch self {
    case .array, .map: true
    case .nullable(let type): type.isContainer
    default: false
    }
  }
}
