/// An input line with a cursor.
struct TypedLine: Equatable {
  private(set) var before = ""
  private(set) var after = ""
  /// What is entered first replaces the text.
  private var isOffer = false

  /// The cursor is at the end.
  init(_ text: String = "", isOffer: Bool = false) { (before, self.isOffer) = (text, isOffer) }

  var text: String { before + after }

  /// Edits the line or moves the cursor; false if the key does neither.
  mutating func press(_ key: Key) -> Bool {
    let kept = isOffer ? "" : before
    isOffer = false
    switch key {
    case .character(let character): before = kept + String(character)
    case .pasted(let text): before = kept + text
    case .backspace, .control("h"): _ = before.popLast()
    case .delete, .control("d"): if !after.isEmpty { after.removeFirst() }
    case .left, .control("b"): if let last = before.popLast() { after.insert(last, at: after.startIndex) }
    case .right, .control("f"): if !after.isEmpty { before.append(after.removeFirst()) }
    case .home, .control("a"): (before, after) = ("", text)
    case .end, .control("e"): (before, after) = (text, "")
    case .control("u"): before = ""
    case .control("k"): after = ""
    case .control("w"): removeWord()
    default: return false
    }
    return true
  }

  /// Removes the blanks before the cursor and the word before them.
  private mutating func removeWord() {
    while before.last == " " { before.removeLast() }
    while let last = before.last, last != " " { before.removeLast() }
  }
}
