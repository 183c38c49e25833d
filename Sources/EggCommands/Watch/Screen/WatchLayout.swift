/// What stands on which lines of a screen of some size: totals, groups, heading, rows, then what is typed or said.
struct WatchLayout: Equatable {
  /// Cells of a line.
  let columns: Int
  /// Lines of the screen.
  let lines: Int
  /// Whether the totals stand above all.
  let hasTitle: Bool
  /// Lines of groups.
  let groupLines: Int
  /// Groups side by side.
  let groupsInLine: Int
  let hasHeading: Bool
  /// Lines of alarms.
  let rows: Int
  /// Lines at the bottom.
  let footerLines: Int

  /// Cells that a group takes.
  let groupWidth: Int

  /// For a screen of any size, even none; each group takes `groupWidth` cells with what parts it from the next.
  init(columns: Int, lines: Int, groups: Int, groupWidth: Int, footer: Int) {
    self.columns = max(columns, 1)
    self.lines = max(lines, 1)
    hasTitle = self.lines > 2
    hasHeading = self.lines > 5
    footerLines = min(footer, self.lines - 1)
    self.groupWidth = groupWidth
    groupsInLine = max(1, (self.columns + 2) / groupWidth)
    let needed = (groups + groupsInLine - 1) / groupsInLine
    groupLines = min(needed, max(0, (self.lines - 6) / 4))
    rows = self.lines - (hasTitle ? 1 : 0) - (hasHeading ? 1 : 0) - footerLines - groupLines
  }
}
