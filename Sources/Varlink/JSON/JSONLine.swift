import FoundationEssentials

/// JSON for people and scripts.
public enum JSONLine {
  /// One line with members in alphabetical order: equal values give equal texts. Throws EncodingError for NaN
  /// and infinity.
  public static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Throws DecodingError.
  public static func decode<Value: Decodable>(_ text: [UInt8], as: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text))
  }
}
