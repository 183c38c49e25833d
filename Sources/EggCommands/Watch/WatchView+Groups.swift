import EggProtocol

extension WatchView {
  /// The groups' names and progress, in as many lines as there are for them; the last says how many are left out.
  var groups: [StyledLine] {
    let places = layout.groupLines * layout.groupsInLine
    let isWhole = state.groups.count <= places
    let shown = state.groups.prefix(isWhole ? places : max(0, places - 1))
    var lines = (0..<layout.groupLines).map { line in
      var text = StyledLine()
      for index in 0..<layout.groupsInLine {
        let place = line * layout.groupsInLine + index
        guard place < shown.count else { break }
        text.pad(to: index * WatchLayout.groupWidth)
        append(shown[place], to: &text)
      }
      return text
    }
    if !isWhole, !lines.isEmpty {
      let last = places - 1
      lines[lines.count - 1].pad(to: last % layout.groupsInLine * WatchLayout.groupWidth)
      let hidden = state.groups.count - shown.count
      lines[lines.count - 1].append(shown.isEmpty ? "\(hidden) groups" : "and \(hidden) more groups", .dim)
    }
    return lines
  }

  func style(ofGroup name: String) -> Style {
    state.groups.first { $0.name == name }?.style ?? .plain
  }

  /// `Sunday         ██████░░░░  60 %  3 of 5`.
  private func append(_ group: WatchedGroup, to line: inout StyledLine) {
    let progress = state.list.progress[group.name] ?? Progress()
    line.append(cell: group.name.visible, 13, group.style)
    line.append(progress.bar.full, group.style)
    line.append(progress.bar.empty, .dim)
    line.append(blanks: 2)
    line.append(progress.text)
  }
}

/// A group as the screen shows it.
struct WatchedGroup: Equatable {
  var name: String
  var style = Style.plain
}

extension WatchedGroup {
  init(_ group: WireGroup) { self.init(name: group.name, style: group.color?.style ?? .plain) }
}
