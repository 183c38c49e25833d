import Varlink

/// A journal entry in the form of `journalctl --output=json`: one object a line. A repeated field has an
/// array as its value, and so has a value that is not printable text: its bytes. systemd.journal-fields(7).
struct JournalEntry {
  private let fields: [String: Field]

  /// nil if the line is no such object.
  init?(reading line: [UInt8]) {
    guard let fields = try? JSON.value(line, as: [String: Field].self) else { return nil }
    self.fields = fields
  }

  subscript(name: String) -> String? { fields[name]?.texts.first }

  func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

  private struct Field: Decodable {
    /// None of an overlong field: it is null.
    let texts: [String]

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        texts = [text]
      } else if let bytes = try? value.decode([UInt8].self) {
        texts = [String(decoding: bytes, as: UTF8.self)]
      } else {
        texts = (try? value.decode([Field].self))?.flatMap(\.texts) ?? []
      }
    }
  }
}
