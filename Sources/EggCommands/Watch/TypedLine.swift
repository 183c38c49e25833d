/// A line that is being typed, and the place in it.
struct TypedLine: Equatable {
  private(set) var before = ""
  private(set) var after = ""

  /// With the place at its end.
  init(_ text: String = "") { before = text }

  var text: String { before + after }

  /// Changes the line or the place in it; false where the key means nothing here.
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character): before.append(character)
    case .pasted(let text): before += text
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

  /// The blanks before the place, and the word before those.
  private mutating func removeWord() {
    while before.last == " " { before.removeLast() }
    while let last = before.last, last != " " { before.removeLast() }
  }
}
