import EggProtocol

/// The table of `eggctl list`. It fits a terminal's width; without one, its columns are full.
struct ListTable {
  let text: AlarmText
  /// Cells of a line; nil for any number.
  let width: Int?
  let colours: Bool
  var groups: [String: Style] = [:]

  /// The rows below the totals and a heading.
  func text(_ rows: [ListRow], _ totals: Totals) -> String {
    var needs = ListColumns.Needs()
    for row in rows { needs.fit(row) }
    let columns = ListColumns(needs, dues: text.moments.dueWidths, in: width)
    var lines = Array((text.totals(totals, in: width) + "\n").utf8)
    lines.reserveCapacity(rows.count * 96)
    lines += (columns.heading.text(in: width ?? .max, colours: colours) + "\n").utf8
    var line = StyledLine()
    for row in rows {
      line.clear()
      columns.append(row, text.moments, group: row.group.flatMap { groups[$0] } ?? .plain, to: &line)
      line.write(to: &lines, in: width ?? .max, colours: colours)
      lines.append(UInt8(ascii: "\n"))
    }
    return String(decoding: lines, as: UTF8.self)
  }
}
