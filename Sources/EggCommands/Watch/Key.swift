/// One key as a person pressed it.
enum Key: Equatable {
  /// A character, or a part of one: a combining mark comes as a key of its own.
  case character(Character)
  /// With Control held, the letter in lower case.
  case control(Character)
  /// Text that came from the clipboard, without its control characters.
  case pasted(String)
  case enter, escape, tab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
}
