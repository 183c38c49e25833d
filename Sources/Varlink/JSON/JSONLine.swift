import FoundationEssentials

/// JSON for people and scripts to read.
public enum JSONLine {
  /// One line, members in alphabetical order, so that the same value is always the same text. Throws
  /// EncodingError for numbers that JSON does not have.
  public static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
