import Alarms
import Varlink

/// The wire's types as text.
enum JSON {
  /// One line without a newline, safe to show.
  static func text(_ value: some Encodable) throws -> String { try JSONLine.encode(value).visibleJSON }

  /// Throws DecodingError.
  static func value<Value: Decodable>(_ text: [UInt8], as type: Value.Type) throws -> Value {
    try JSONLine.decode(text, as: type)
  }

  /// An object with one long array, built page by page: `{"alarms":[…],"totals":{…}}`.
  struct ArrayDocument {
    private let name: String
    private var isOpen = false
    private var isEmpty = true

    init(name: String) { self.name = name }

    /// The text of the next elements, after the beginning of the document if they are the first.
    mutating func elements(_ elements: [some Encodable]) throws -> String {
      var text = isOpen ? "" : "{\"\(name)\":["
      isOpen = true
      for element in elements {
        if !isEmpty { text += "," }
        isEmpty = false
        text += try JSON.text(element)
      }
      return text
    }

    /// The end of the document.
    mutating func end() throws -> String { try elements([Never]()) + "]}" }

    /// The end of the document, with one more member.
    mutating func end(_ name: String, _ value: some Encodable) throws -> String {
      try elements([Never]()) + "],\"\(name)\":\(JSON.text(value))}"
    }
  }
}
