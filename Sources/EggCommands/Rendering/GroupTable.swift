import EggProtocol
import EggTime
import Gettext

/// The table of `eggctl group list`.
struct GroupTable {
  let moments: Moments
  /// That of a line in cells, nil for any.
  let width: Int?
  let colours: Bool

  /// Whether bars and eggs make room for what is next.
  private var isNarrow: Bool { width ?? .max < 60 }

  func text(_ groups: [WireGroup]) -> String {
    let gap = isNarrow ? 2 : 3
    let eggs = [Table.Column(heading: tr("EGGS"), isNumeric: true, gap: gap)]
    var table = Table(
      [
        Table.Column(heading: tr("GROUP"), minimum: isNarrow ? 0 : 12, gap: gap),
        Table.Column(heading: tr("DONE"), minimum: isNarrow ? 0 : 22, gap: gap),
      ] + (isNarrow ? [] : eggs) + [Table.Column(heading: tr("NEXT"), gap: 0)], width: width)
    return table.text(groups.map(row), colours: colours)
  }

  private func row(_ group: WireGroup) -> [Table.Cell] {
    let progress = Progress(done: group.done, alarms: group.alarms)
    let bar = isNarrow ? "" : "\(progress.bar.full)\(progress.bar.empty)  "
    let next = group.next.map { tr("in \(SpanText.left($0 - moments.now))") } ?? ""
    return [
      .init(group.name.visible, style: group.style), .init(bar + progress.cell, style: group.style),
    ] + (isNarrow ? [] : [.init("\(group.eggs)")]) + [.init(next)]
  }
}
