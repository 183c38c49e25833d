import EggProtocol
import EggTime
import Gettext

/// The table of `eggctl group list`.
struct GroupTable {
  let moments: Moments
  /// That of a line in cells, nil for any.
  let width: Int?
  let colours: Bool

  func text(_ groups: [WireGroup]) -> String {
    var table = Table(
      [
        Table.Column(heading: tr("GROUP"), minimum: 12, gap: 3),
        Table.Column(heading: tr("DONE"), minimum: 22, gap: 3),
        Table.Column(heading: tr("EGGS"), isNumeric: true, gap: 3),
        Table.Column(heading: tr("NEXT"), gap: 0),
      ], width: width)
    return table.text(groups.map(row), colours: colours)
  }

  private func row(_ group: WireGroup) -> [Table.Cell] {
    let progress = Progress(done: group.done, alarms: group.alarms)
    return [
      .init(group.name.visible, style: group.style),
      .init("\(progress.bar.full)\(progress.bar.empty)  \(progress.cell)", style: group.style),
      .init("\(group.eggs)"), .init(group.next.map { tr("in \(SpanText.left($0 - moments.now))") } ?? ""),
    ]
  }
}
