/// A line of the screen: styled pieces of text, measured in terminal cells.
struct StyledLine {
  private var pieces: [(text: String, style: Style)] = []
  /// Blanks before the next piece; trailing ones are dropped.
  private var blanks = 0
  private var textWidth = 0

  /// Up to a length that a String has without allocation.
  private static let gaps = (0...15).map { String(repeating: " ", count: $0) }

  init() { pieces.reserveCapacity(16) }

  init(_ text: String, _ style: Style = .plain) {
    self.init()
    append(text, style)
  }

  /// Terminal cells.
  var width: Int { textWidth + blanks }

  mutating func append(_ text: String, _ style: Style = .plain) {
    append(text, cells: text.displayWidth, style)
  }

  private mutating func append(_ text: String, cells: Int, _ style: Style) {
    guard !text.isEmpty else { return }
    if blanks > 0 {
      let gap = blanks < Self.gaps.count ? Self.gaps[blanks] : String(repeating: " ", count: blanks)
      pieces.append((gap, .plain))
    }
    pieces.append((text, style))
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

  /// The line in one style over all columns.
  func bar(in columns: Int, _ style: Style, colours: Bool) -> String {
    let text = pieces.map(\.text).joined().cut(to: columns)
    let padding = String(repeating: " ", count: max(0, columns - text.displayWidth))
    return style.apply(to: text + padding, colours: colours)
  }

  /// The line, cut to the columns, with escape sequences.
  func text(in columns: Int, colours: Bool) -> String {
    var text = ""
    guard textWidth > columns else {
      for piece in pieces { text += piece.style.apply(to: piece.text, colours: colours) }
      return text
    }
    var left = columns
    for (index, piece) in pieces.enumerated() where left > 0 {
      // An ellipsis also marks pieces that are dropped whole.
      let isFull = index < pieces.count - 1 && piece.text.displayWidth == left
      let cut = (isFull ? piece.text + " " : piece.text).cut(to: left)
      text += piece.style.apply(to: cut, colours: colours)
      left -= cut.displayWidth
    }
    return text
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
