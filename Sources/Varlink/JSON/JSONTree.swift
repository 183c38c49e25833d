/// Any JSON value, for messages whose form their receiver decides.
public indirect enum JSONTree: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case array([JSONTree])
  /// Of members with the same name the last counts.
  case object([String: JSONTree])

  /// Throws ``JSONFault``.
  package init(_ bytes: [UInt8]) throws {
    var scanner = try JSONScanner(bytes)
    try self.init(&scanner)
    guard scanner.atEnd() else { throw JSONFault.notJSON }
  }

  /// The value of a member; nil for what is no object.
  public subscript(_ name: String) -> JSONTree? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  public var string: String? { if case .text(let text) = self { text } else { nil } }

  fileprivate init(_ scanner: inout JSONScanner) throws {
    switch try scanner.kind() {
    case .null:
      try scanner.null()
      self = .null
    case .bool: self = .bool(try scanner.bool())
    case .string: self = .text(scanner.text(try scanner.string()))
    case .number:
      let number = try scanner.number()
      if number.isWhole, let integer = scanner.integer(number.range) {
        self = .integer(integer)
      } else {
        guard let double = Double(scanner.characters(number.range)), double.isFinite else {
          throw JSONFault.notJSON
        }
        self = .number(double)
      }
    case .array:
      var elements: [JSONTree] = []
      var scanned = try scanner.beginArray()
      while try scanner.nextElement(&scanned) { elements.append(try JSONTree(&scanner)) }
      self = .array(elements)
    case .object:
      var members: [String: JSONTree] = [:]
      var scanned = try scanner.beginObject()
      while try scanner.nextKey(&scanned) { members[scanner.text(scanned.key)] = try JSONTree(&scanner) }
      self = .object(members)
    }
  }
}

extension JSONTree: Codable {
  /// From JSON only.
  public init(from decoder: any Decoder) throws {
    guard let decoding = decoder as? JSONDecoding else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not JSON"))
    }
    try self.init(&decoding.scanner)
  }

  public func encode(to encoder: any Encoder) throws {
    if case .object(let members) = self {
      var object = encoder.container(keyedBy: MemberName.self)
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        try object.encode(member, forKey: MemberName(stringValue: name))
      }
      return
    }
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .array(let elements): try value.encode(elements)
    case .object: break
    }
  }
}
