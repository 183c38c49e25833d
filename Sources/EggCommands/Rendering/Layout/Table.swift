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

    init(_ text: String, style: Style = .plain) {
      self.text = text
      self.style = style
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  private let columns: [Column]
  private var widths: [Int]
  /// Cells of a line; longer ones are cut.
  private let width: Int

  /// Begins with the width of the headings and minima. `width` is that of a line in cells, nil for any.
  init(_ columns: [Column], width: Int? = nil) {
    self.columns = columns
    self.width = width ?? .max
    widths = columns.map { max($0.minimum, $0.heading.displayWidth) }
  }

  /// A line for each row, below the heading. The columns become as wide as these rows need, and stay so for later pages.
  mutating func text(_ rows: [[Cell]], hasHeading: Bool = true, colours: Bool) -> String {
    for row in rows {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.text.displayWidth) }
    }
    let heading = hasHeading ? [columns.map { Cell($0.heading, style: .dim) }] : []
    return (heading + rows).map { line($0, colours: colours) }.joined()
  }

  /// One line without trailing blanks.
  func line(_ row: [Cell], colours: Bool) -> String {
    var line = StyledLine()
    for (index, cell) in row.enumerated() {
      let column = columns[index]
      line.append(
        cell: cell.text, widths[index], isNumeric: column.isNumeric, gap: column.gap, cell.style)
    }
    return line.text(in: width, colours: colours) + "\n"
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
