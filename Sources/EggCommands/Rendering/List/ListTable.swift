import Alarms
import EggProtocol
import EggTime

/// The table of `eggctl list`, page by page: in a terminal's width, or with full columns where there is none.
struct ListTable {
  private let text: AlarmText
  private let colours: Bool
  /// Cells of a line; nil for any number.
  private let width: Int?
  /// The colours of groups by name.
  var groups: [String: Style] = [:]
  private var needs = ListColumns.Needs()
  private var isFirst = true

  init(_ text: AlarmText, width: Int? = nil, colours: Bool) {
    self.text = text
    self.width = width
    self.colours = colours
  }

  /// The page's lines; those of the first begin with the totals and the headings. Widths only grow.
  mutating func page(_ page: ListReply) -> String {
    let rows = page.alarms.map { ListRow($0, now: text.moments.now) }
    for row in rows { needs.fit(row) }
    let columns = ListColumns(needs, in: width)
    var lines = ""
    if isFirst {
      lines = text.totals(page.totals, in: width) + "\n"
      lines += columns.heading.text(in: width ?? .max, colours: colours) + "\n"
    }
    isFirst = false
    for row in rows {
      let style = row.group.flatMap { groups[$0] } ?? .plain
      let line = columns.line(row, text.moments, group: style)
      lines += line.text(in: width ?? .max, colours: colours) + "\n"
    }
    return lines
  }
}
