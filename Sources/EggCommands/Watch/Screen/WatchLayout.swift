/// The lines of a screen: totals, groups, heading, rows, footer.
struct WatchLayout: Equatable {
  let columns: Int
  let lines: Int
  /// Whether the first line has the totals.
  let hasTitle: Bool
  let groupLines: Int
  let groupsInLine: Int
  let hasHeading: Bool
  let rows: Int
  let footerLines: Int

  let groupWidth: Int

  /// Fits any size, even none. `groupWidth` includes the gap to the next group.
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
