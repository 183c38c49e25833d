/// Rows under a heading. Each column is as wide as its widest cell, in terminal cells.
struct Table {
  struct Column {
    var heading: String
    /// The least width in cells, so that pages and short lists look alike.
    var minimum = 0
    /// Whether cells are aligned right.
    var isNumeric = false
    /// Blanks after the column.
    var gap = 2
  }

  struct Cell: ExpressibleByStringInterpolation {
    let text: String
    let style: Style
    /// Terminal cells.
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

  /// Begins with the width of the headings and minima.
  init(_ columns: [Column]) {
    self.columns = columns
    widths = columns.map { max($0.minimum, $0.heading.displayWidth) }
  }

  /// Widens the columns for these rows. They stay wide for later pages.
  mutating func fit(_ rows: [[Cell]]) {
    for row in rows {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.width) }
    }
  }

  func heading(colours: Bool) -> String {
    line(columns.map { Cell($0.heading, style: .dim) }, colours: colours)
  }

  /// One line without trailing blanks.
  func line(_ row: [Cell], colours: Bool) -> String { lines([row], colours: colours) }

  func lines(_ rows: [[Cell]], colours: Bool) -> String {
    // Bytes, because a long list makes a million small additions.
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

/// Names and values on lines; the values are aligned.
struct Fields {
  private var rows: [(name: String, value: String)] = []

  /// Adds a line; nothing if the value is nil.
  mutating func add(_ name: String, _ value: String?) {
    if let value { rows.append((name, value)) }
  }

  /// Values of several lines, and those too wide for a line of `columns`, go on below their beginning.
  func text(width columns: Int? = nil, colours: Bool) -> String {
    let width = (rows.map(\.name.displayWidth).max() ?? 0) + 2
    return rows.map { row in
      let padding = String(repeating: " ", count: width - row.name.displayWidth)
      let lines = row.value.wrapped(to: columns.map { max(20, $0 - width) } ?? .max)
      return Style.dim.apply(to: row.name, colours: colours) + padding
        + lines.joined(separator: "\n" + String(repeating: " ", count: width)) + "\n"
    }.joined()
  }
}
