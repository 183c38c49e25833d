/// One line of the screen: pieces of text, each in its style, measured in cells.
struct StyledLine {
  private var pieces: [(text: String, style: Style)] = []
  /// Blanks that come before the next piece; a line does not end with them.
  private var blanks = 0
  private var textWidth = 0

  init() {}

  init(_ text: String, _ style: Style = .plain) { append(text, style) }

  /// Cells.
  var width: Int { textWidth + blanks }

  mutating func append(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    if blanks > 0 { pieces.append((String(repeating: " ", count: blanks), .plain)) }
    pieces.append((text, style))
    textWidth += blanks + text.displayWidth
    blanks = 0
  }

  /// Blanks between pieces.
  mutating func append(blanks count: Int) { blanks += max(0, count) }

  /// Blanks up to a column; none where the line goes beyond it.
  mutating func pad(to column: Int) { append(blanks: column - width) }

  /// Adds a cell of a table: as wide as it is to be, then blanks. What is too long for it is cut.
  mutating func append(
    cell text: String, _ width: Int, isNumeric: Bool = false, gap: Int = 2, _ style: Style = .plain
  ) {
    let text = text.cut(to: width)
    let padding = width - text.displayWidth
    if isNumeric { append(blanks: padding) }
    append(text, style)
    append(blanks: (isNumeric ? 0 : padding) + gap)
  }

  /// The whole width of a screen in one style.
  func bar(in columns: Int, _ style: Style, colours: Bool) -> String {
    let text = pieces.map(\.text).joined().cut(to: columns)
    let padding = String(repeating: " ", count: max(0, columns - text.displayWidth))
    return style.apply(to: text + padding, colours: colours)
  }

  /// The line as it may be written where there are that many columns.
  func text(in columns: Int, colours: Bool) -> String {
    guard textWidth > columns else {
      return pieces.map { $0.style.apply(to: $0.text, colours: colours) }.joined()
    }
    var (text, left) = ("", columns)
    for (index, piece) in pieces.enumerated() where left > 0 {
      // An ellipsis also tells of pieces that are left out whole.
      let isFull = index < pieces.count - 1 && piece.text.displayWidth == left
      let cut = (isFull ? piece.text + " " : piece.text).cut(to: left)
      text += piece.style.apply(to: cut, colours: colours)
      left -= cut.displayWidth
    }
    return text
  }
}

extension String {
  /// The text, or as much of its beginning as fits with an ellipsis behind it.
  func cut(to columns: Int) -> String {
    guard displayWidth > columns else { return self }
    guard columns > 0 else { return "" }
    var (text, left) = ("", columns - 1)
    for character in self {
      left -= character.displayWidth
      if left < 0 { break }
      text.append(character)
    }
    return text + "…"
  }

  /// As much of the text's end as fits.
  func end(fitting columns: Int) -> String {
    var (count, left) = (0, columns)
    for character in reversed() {
      left -= character.displayWidth
      if left < 0 { break }
      count += 1
    }
    return String(suffix(count))
  }
}
