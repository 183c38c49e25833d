enum Key: Equatable {
  /// A character; a combining mark is a key of its own.
  case character(Character)
  /// Control and a letter in lower case.
  case control(Character)
  /// Pasted text, without control characters.
  case pasted(String)
  case enter, escape, tab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
}
