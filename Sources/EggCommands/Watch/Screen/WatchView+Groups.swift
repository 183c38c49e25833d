import EggProtocol
import Gettext

extension WatchView {
  /// The groups' names and progress in the available lines; the last line says how many are hidden.
  var groups: [StyledLine] {
    let places = layout.groupLines * layout.groupsInLine
    let isWhole = state.groups.count <= places
    let shown = state.groups.prefix(isWhole ? places : max(0, places - 1))
    var lines = Array(repeating: StyledLine(), count: layout.groupLines)
    for (place, group) in shown.enumerated() {
      lines[place / layout.groupsInLine].pad(to: place % layout.groupsInLine * layout.groupWidth)
      append(group, to: &lines[place / layout.groupsInLine])
    }
    if !isWhole, !lines.isEmpty {
      let last = places - 1
      lines[lines.count - 1].pad(to: last % layout.groupsInLine * layout.groupWidth)
      let hidden = state.groups.count - shown.count
      lines[lines.count - 1].append(
        shown.isEmpty ? tr("\(hidden) groups") : tr("and \(hidden) more groups"), .dim)
    }
    return lines
  }

  func style(ofGroup name: String) -> Style {
    state.groups.first { $0.name == name }?.style ?? .plain
  }

  /// `Sunday         ██████░░░░  60 %  3 of 5`.
  private func append(_ group: WireGroup, to line: inout StyledLine) {
    let progress = state.list.progress[group.name] ?? Progress()
    line.append(cell: group.name.visible, state.groupNameWidth, group.style)
    line.append(progress.bar.full, group.style)
    line.append(progress.bar.empty, .dim)
    line.append(blanks: 2)
    line.append(progress.text)
  }
}

extension WatchState {
  /// Cells of a group's name; fewer if the numbers are long, so that two groups fit side by side.
  var groupNameWidth: Int { max(10, min(13, 24 - progressWidth)) }

  /// Cells of a group with its bar and the gap to the next one.
  var groupWidth: Int { max(40, groupNameWidth + 2 + Int(Progress.width) + 2 + progressWidth + 2) }

  private var progressWidth: Int {
    groups.map { (list.progress[$0.name] ?? Progress()).text.displayWidth }.max() ?? 0
  }
}

extension WireGroup {
  var style: Style { color?.style ?? .plain }
}
