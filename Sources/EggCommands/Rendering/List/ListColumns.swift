import Gettext

/// The list's columns and their widths in a line of limited width.
///
/// If the names need more room, the year goes first, then the seconds, then a cell of each gap; then names
/// are cut. If hardly anything of the names would be left, the columns EGGS, DUE and STATE go too.
struct ListColumns {
  enum Due: Int {
    case full, withoutYear, withoutSeconds, none
  }

  /// The cells that the widest rows need.
  struct Needs: Equatable {
    /// The machine's name; 0 for one machine, which has no column.
    var host = 0
    var number = 3
    var left = 11
    var name = 5

    mutating func fit(_ row: ListRow) {
      number = max(number, "\(row.number)".utf8.count)
      left = max(left, row.left.displayWidth)
      name = max(name, row.nameWidth)
    }
  }

  /// What a line has room for.
  private struct Shape {
    var due: Due
    var hasState: Bool
    var hasEggs: Bool
    /// Blanks after the columns number, DUE and LEFT.
    var gap: Int
    /// The least cells for names.
    var name: Int
  }

  private let shape: Shape
  private let needs: Needs
  /// Cells of the column DUE.
  private let dueWidth: Int
  /// Cells of the machine's name and the gap after it.
  private let host: Int
  /// Cells before the number.
  private let margin: Int

  private static let (state, eggs, smallGap) = (9, 4, 2)
  /// If fewer cells are left for names, columns go.
  private static let leastName = 12
  /// A longer name of a machine is cut.
  private static let longestHost = 16

  /// `dues` are the cells of the column DUE, see ``Moments/dueWidths``. `width` is the cells of a line, nil for any
  /// number; `margin` of them come before the number.
  init(_ needs: Needs, dues: [Int], in width: Int?, margin: Int = 0) {
    func cells(of due: Due) -> Int { due == .none ? 0 : dues[due.rawValue] }
    let host = needs.host == 0 ? 0 : min(needs.host, Self.longestHost) + Self.smallGap
    let least = min(needs.name, Self.leastName)
    let shapes = [
      Shape(due: .full, hasState: true, hasEggs: true, gap: 3, name: needs.name),
      Shape(due: .withoutYear, hasState: true, hasEggs: true, gap: 3, name: needs.name),
      Shape(due: .withoutSeconds, hasState: true, hasEggs: true, gap: 3, name: needs.name),
      Shape(due: .withoutSeconds, hasState: true, hasEggs: true, gap: 2, name: least),
      Shape(due: .withoutSeconds, hasState: true, hasEggs: false, gap: 2, name: least),
      Shape(due: .none, hasState: true, hasEggs: false, gap: 2, name: least),
      Shape(due: .none, hasState: false, hasEggs: false, gap: 2, name: 0),
    ]
    func columns(_ shape: Shape) -> Int {
      margin + host + needs.number + shape.gap + (shape.due == .none ? 0 : cells(of: shape.due) + shape.gap)
        + needs.left + shape.gap + (shape.hasState ? Self.state + Self.smallGap : 0)
        + (shape.hasEggs ? Self.eggs + Self.smallGap : 0)
    }
    shape = shapes.first { columns($0) + $0.name <= width ?? .max } ?? shapes[shapes.count - 1]
    dueWidth = cells(of: shape.due)
    self.needs = needs
    self.host = host
    self.margin = margin
  }

  var heading: StyledLine {
    var line = StyledLine()
    line.append(blanks: margin)
    append(
      (host: tr("HOST"), number: "#", due: tr("DUE"), left: tr("LEFT"), state: tr("STATE"), eggs: tr("EGGS")),
      style: .dim,
      to: &line)
    line.append(tr("LABEL"), .dim)
    return line
  }

  /// Adds a row to a line that has at most the margin; `group` is the style of the group's name.
  func append(_ row: ListRow, _ moments: Moments, group: Style, to line: inout StyledLine) {
    line.pad(to: margin)
    let cells = (
      host: row.host, number: "\(row.number)", due: row.moment.map { moments.text($0, as: shape.due) } ?? "",
      left: !shape.hasState && row.standsOut ? row.standing : row.left, state: row.standing,
      eggs: "\(row.eggs)"
    )
    append(cells, style: row.style, to: &line)
    line.append(row.name, row.style)
    if let name = row.group {
      if !row.name.isEmpty { line.append(blanks: Self.smallGap) }
      line.append(ListRow.text(ofGroup: name), group == .plain ? row.style : group)
    }
  }

  private func append(
    _ cells: (host: String, number: String, due: String, left: String, state: String, eggs: String),
    style: Style,
    to line: inout StyledLine
  ) {
    if host > 0 { line.append(cell: cells.host, host - Self.smallGap, gap: Self.smallGap, style) }
    line.append(cell: cells.number, needs.number, isNumeric: true, gap: shape.gap, style)
    if shape.due != .none { line.append(cell: cells.due, dueWidth, gap: shape.gap, style) }
    line.append(cell: cells.left, needs.left, gap: shape.gap, style)
    if shape.hasState { line.append(cell: cells.state, Self.state, gap: Self.smallGap, style) }
    if shape.hasEggs { line.append(cell: cells.eggs, Self.eggs, isNumeric: true, gap: Self.smallGap, style) }
  }
}
