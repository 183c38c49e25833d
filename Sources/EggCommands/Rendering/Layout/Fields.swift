/// Names and values on lines; the values are aligned.
struct Fields {
  private var rows: [(name: String, value: String)] = []

  /// Adds a line; nothing if the value is nil.
  mutating func add(_ name: String, _ value: String?) {
    if let value { rows.append((name, value)) }
  }

  func text(colours: Bool) -> String {
    let width = rows.map(\.name.displayWidth).max() ?? 0
    return rows.map { row in
      let padding = String(repeating: " ", count: width - row.name.displayWidth + 2)
      return Style.dim.apply(to: row.name, colours: colours) + padding + row.value + "\n"
    }.joined()
  }
}
