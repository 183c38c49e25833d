/// A line of the screen or of a list: styled pieces of text, measured in terminal cells.
struct StyledLine {
  /// UTF-8, because a long list has a hundred thousand pieces.
  private var text: [UInt8] = []
  /// `end` is the piece's in ``text``.
  private var pieces: [(end: Int, cells: Int, style: Style)] = []
  /// Blanks before the next piece; trailing ones are dropped.
  private var blanks = 0
  private var textWidth = 0

  init() {}

  init(_ text: String, _ style: Style = .plain) { append(text, style) }

  /// Terminal cells.
  var width: Int { textWidth + blanks }

  mutating func clear() {
    text.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    blanks = 0
    textWidth = 0
  }

  mutating func append(_ text: String, _ style: Style = .plain) {
    append(text, cells: text.displayWidth, style)
  }

  private mutating func append(_ piece: String, cells: Int, _ style: Style) {
    guard !piece.isEmpty else { return }
    if blanks > 0 {
      for _ in 0..<blanks { text.append(UInt8(ascii: " ")) }
      pieces.append((text.count, blanks, .plain))
    }
    text += piece.utf8
    pieces.append((text.count, cells, style))
    textWidth += blanks + cells
    blanks = 0
  }

  mutating func append(blanks count: Int) { blanks += max(0, count) }

  /// Adds blanks up to a column, if the line is shorter.
  mutating func pad(to column: Int) { append(blanks: column - width) }

  /// Adds a table cell of a fixed width and the gap after it. A longer text is cut.
  mutating func append(
    cell text: String, _ width: Int, isNumeric: Bool = false, gap: Int = 2, _ style: Style = .plain
  ) {
    var text = text
    var cells = text.displayWidth
    if cells > width {
      text = text.cut(to: width)
      cells = text.displayWidth
    }
    let padding = width - cells
    if isNumeric { append(blanks: padding) }
    append(text, cells: cells, style)
    append(blanks: (isNumeric ? 0 : padding) + gap)
  }

  /// The line, cut to the columns, with escape sequences. The selected one is a bar over all columns, in its colours.
  func text(in columns: Int, isSelected: Bool = false, colours: Bool) -> String {
    var line: [UInt8] = []
    write(to: &line, in: columns, isSelected: isSelected, colours: colours)
    let padding = isSelected ? String(repeating: " ", count: max(0, columns - textWidth)) : ""
    return String(decoding: line, as: UTF8.self)
      + Style.plain.apply(to: padding, isSelected: isSelected, colours: colours)
  }

  func write(to line: inout [UInt8], in columns: Int, isSelected: Bool = false, colours: Bool) {
    let isCut = textWidth > columns
    guard isCut || colours else { return line += text }
    var (start, left) = (0, columns)
    for (index, piece) in pieces.enumerated() where left > 0 {
      var shown = String(decoding: text[start..<piece.end], as: UTF8.self)
      start = piece.end
      if isCut {
        // An ellipsis also marks pieces that are dropped whole.
        let isFull = index < pieces.count - 1 && piece.cells == left
        let whole = isFull ? shown + " " : shown
        shown = whole.cut(to: left)
        // Before the ellipsis a wide character can leave a cell.
        left = shown == whole ? left - shown.displayWidth : 0
      }
      line += piece.style.apply(to: shown, isSelected: isSelected, colours: colours).utf8
    }
  }
}

extension String {
  /// The text; if it is too wide, its beginning and an ellipsis.
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

  /// The end of the text that fits.
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
