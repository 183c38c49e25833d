import Varlink

/// A journal entry in the form of `journalctl --output=json`: one object a line. A repeated field has an
/// array as its value, and so has a value that is not printable text: its bytes. systemd.journal-fields(7).
struct JournalEntry {
  private var fields: [String: [String]] = [:]

  /// nil if the line is no such object.
  init?(reading line: [UInt8]) {
    do {
      var json = try JSONScanner(line)
      var members = try json.beginObject()
      while try json.nextKey(&members) {
        let name = json.text(members.key)
        fields[name] = try Self.values(&json)
      }
    } catch {
      return nil
    }
  }

  /// The field's first value.
  subscript(name: String) -> String? { fields[name]?.first }

  func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

  private static func values(_ json: inout JSONScanner) throws(JSONFault) -> [String] {
    switch try json.kind() {
    case .string: return [json.text(try json.string())]
    case .array:
      var texts: [String] = []
      var bytes: [UInt8] = []
      var elements = try json.beginArray()
      while try json.nextElement(&elements) {
        if try json.kind() == .number {
          let range = try json.skipValue()
          let digits = String(decoding: json.bytes[range], as: UTF8.self)
          bytes.append(UInt8(digits) ?? UInt8(ascii: "?"))
        } else {
          texts += try values(&json)
        }
      }
      return texts.isEmpty ? [String(decoding: bytes, as: UTF8.self)] : texts
    default:
      // An overlong field is null.
      try json.skipValue()
      return []
    }
  }
}
