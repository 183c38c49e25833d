/// Rows under a heading, their columns as wide as their widest cell in cells of a terminal.
struct Table {
  /// One column: its heading and how its cells stand in it.
  struct Column {
    var heading: String
    /// Cells, at least; so that pages and short lists look alike.
    var minimum = 0
    /// Numbers stand to the right.
    var isNumeric = false
    /// Blanks between this column and the next.
    var gap = 2
  }

  /// The text of one place and how it stands out.
  struct Cell: ExpressibleByStringInterpolation {
    let text: String
    let style: Style
    /// Of the text.
    fileprivate let width: Int

    init(_ text: String, style: Style = .plain) {
      self.text = text
      self.style = style
      width = text.displayWidth
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  private let columns: [Column]
  private var widths: [Int]

  /// Wide enough for the headings and for the columns' minima.
  init(_ columns: [Column]) {
    self.columns = columns
    widths = columns.map { max($0.minimum, $0.heading.displayWidth) }
  }

  /// Makes the columns as wide as these rows need. Pages that follow keep the widths of those before.
  mutating func fit(_ rows: [[Cell]]) {
    for row in rows {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.width) }
    }
  }

  /// The line of headings.
  func heading(colours: Bool) -> String {
    line(columns.map { Cell($0.heading, style: .dim) }, colours: colours)
  }

  /// One row: a line without blanks at its end.
  func line(_ row: [Cell], colours: Bool) -> String { lines([row], colours: colours) }

  /// The rows' lines, one after the other.
  func lines(_ rows: [[Cell]], colours: Bool) -> String {
    // bytes, as a long list is a million of small additions
    var lines: [UInt8] = []
    lines.reserveCapacity(rows.count * 96)
    for row in rows {
      var blanks = 0
      for (index, cell) in row.enumerated() {
        let padding = max(0, widths[index] - cell.width)
        if columns[index].isNumeric { blanks += padding }
        if !cell.text.isEmpty {
          lines.append(contentsOf: repeatElement(UInt8(ascii: " "), count: blanks))
          lines += cell.style.apply(to: cell.text, colours: colours).utf8
          blanks = 0
        }
        blanks += columns[index].gap + (columns[index].isNumeric ? 0 : padding)
      }
      lines.append(UInt8(ascii: "\n"))
    }
    return String(decoding: lines, as: UTF8.self)
  }
}
