extension String {
  /// Its lines, each of at most that many cells: broken between words, and within a word that is longer than a line.
  func wrapped(to columns: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { Self.lines(of: $0, columns) }
  }

  private static func lines(of text: Substring, _ columns: Int) -> [String] {
    guard text.displayWidth > columns else { return [String(text)] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty {
        guard line.displayWidth + 1 + word.displayWidth > columns else {
          line += " " + word
          continue
        }
        lines.append(line)
        line = ""
      }
      for character in word {
        if line.displayWidth + character.displayWidth > columns {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    return lines + [line]
  }
}
