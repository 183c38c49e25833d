import FoundationEssentials

/// JSON that people and scripts read and write.
public enum JSONLine {
  /// One line, members in alphabetical order, so that the same value is always the same text. Throws
  /// EncodingError for numbers that JSON does not have.
  public static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The value of a text. Throws DecodingError.
  public static func decode<Value: Decodable>(_ text: [UInt8], as: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text))
  }
}
