import Gettext

/// The list's columns and their widths in a line of limited width.
///
/// If the names need more room, the year goes first, then the seconds, then a cell of each gap; then names
/// are cut. If hardly anything of the names would be left, the columns EGGS, DUE and STATE go too.
struct ListColumns: Equatable {
  enum Due: Equatable {
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

  let due: Due
  /// Cells of the column DUE.
  private let dueWidth: Int
  let hasState: Bool
  let hasEggs: Bool
  /// Blanks after the columns number, DUE and LEFT.
  let gap: Int
  let number: Int
  let host: Int
  let left: Int
  /// Cells of a line, including the margin; nil for any number.
  let width: Int?
  /// Cells before the number.
  let margin: Int

  private static let (state, eggs, smallGap) = (9, 4, 2)
  /// If fewer cells are left for names, columns go.
  private static let leastName = 12
  /// A longer name of a machine is cut.
  private static let longestHost = 16

  /// `dues` are the cells of the column DUE, see ``Moments/dueWidths``. `width` is the cells of a line, nil for any
  /// number; `margin` of them come before the number.
  init(_ needs: Needs, dues: [Int], in width: Int?, margin: Int = 0) {
    func cells(of due: Due) -> Int {
      switch due {
      case .full: dues[0]
      case .withoutYear: dues[1]
      case .withoutSeconds: dues[2]
      case .none: 0
      }
    }
    let host = needs.host == 0 ? 0 : min(needs.host, Self.longestHost) + Self.smallGap
    let shapes: [(due: Due, hasState: Bool, hasEggs: Bool, gap: Int, name: Int)] = [
      (.full, true, true, 3, needs.name), (.withoutYear, true, true, 3, needs.name),
      (.withoutSeconds, true, true, 3, needs.name),
      (.withoutSeconds, true, true, 2, min(needs.name, Self.leastName)),
      (.withoutSeconds, true, false, 2, min(needs.name, Self.leastName)),
      (.none, true, false, 2, min(needs.name, Self.leastName)), (.none, false, false, 2, 0),
    ]
    func columns(_ shape: (due: Due, hasState: Bool, hasEggs: Bool, gap: Int, name: Int)) -> Int {
      margin + host + needs.number + shape.gap + (shape.due == .none ? 0 : cells(of: shape.due) + shape.gap)
        + needs.left + shape.gap + (shape.hasState ? Self.state + Self.smallGap : 0)
        + (shape.hasEggs ? Self.eggs + Self.smallGap : 0)
    }
    let shape = shapes.first { columns($0) + $0.name <= width ?? .max } ?? shapes[shapes.count - 1]
    due = shape.due
    hasState = shape.hasState
    hasEggs = shape.hasEggs
    gap = shape.gap
    dueWidth = cells(of: shape.due)
    number = needs.number
    self.host = host
    left = needs.left
    self.width = width
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
      host: row.host, number: "\(row.number)", due: row.moment.map { moments.text($0, as: due) } ?? "",
      left: !hasState && row.standsOut ? row.standing : row.left, state: row.standing, eggs: "\(row.eggs)"
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
    line.append(cell: cells.number, number, isNumeric: true, gap: gap, style)
    if due != .none { line.append(cell: cells.due, dueWidth, gap: gap, style) }
    line.append(cell: cells.left, left, gap: gap, style)
    if hasState { line.append(cell: cells.state, Self.state, gap: Self.smallGap, style) }
    if hasEggs { line.append(cell: cells.eggs, Self.eggs, isNumeric: true, gap: Self.smallGap, style) }
  }
}
