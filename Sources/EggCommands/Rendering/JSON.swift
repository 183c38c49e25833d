import Alarms
import Varlink

extension JSON {
  /// One line without a newline, its members sorted, safe to show.
  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value, sorted: true), as: UTF8.self).visibleJSON
  }

  /// An object with one long array, built page by page: `{"past":[…]}`.
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

    mutating func end() throws -> String { try elements([Never]()) + "]}" }
  }
}
