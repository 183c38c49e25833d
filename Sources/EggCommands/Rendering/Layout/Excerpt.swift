/// The entered text with a caret under one of its bytes.
enum Excerpt {
  /// Two lines, indented by two. An offset inside a character means that character; one at the end means the
  /// place after the text. The caret's column takes wide characters into account.
  static func caret(under offset: Int, in text: String) -> String {
    let utf8 = text.utf8
    var place = utf8.index(utf8.startIndex, offsetBy: min(max(offset, 0), utf8.count))
    while place > utf8.startIndex, place.samePosition(in: text.unicodeScalars) == nil {
      place = utf8.index(before: place)
    }
    return "  \(text.visible)\n  \(String(repeating: " ", count: text[..<place].visible.displayWidth))^\n"
  }
}
