import EggProtocol
import EggTime
import Gettext

/// The table of `eggctl history`, page by page.
struct HistoryTable {
  private let moments: Moments
  private let colours: Bool
  private var table: Table
  private var isFirst = true

  /// `width` is that of a line in cells, nil for any.
  init(_ moments: Moments, width: Int?, colours: Bool) {
    self.moments = moments
    self.colours = colours
    table = Table(
      [
        Table.Column(heading: "#", minimum: 3, isNumeric: true, gap: 3),
        Table.Column(heading: tr("DUE"), minimum: 22, gap: 3),
        Table.Column(heading: tr("OUTCOME"), minimum: 9),
        Table.Column(heading: tr("LABEL"), minimum: 16),
        Table.Column(heading: tr("LATE"), gap: 0),
      ], width: width)
  }

  /// The page's lines; the first page begins with the heading. Columns only get wider.
  mutating func page(_ past: [Past]) -> String {
    guard !past.isEmpty else { return "" }
    let rows = past.map { entry in
      row(entry, among: past.lazy.filter { $0.number == entry.number }.map(\.occurrence))
    }
    table.fit(rows)
    let heading = isFirst ? table.heading(colours: colours) : ""
    isFirst = false
    return heading + rows.map { table.line($0, colours: colours) }.joined()
  }

  private func row(_ past: Past, among others: some Sequence<WireOccurrence>) -> [Table.Cell] {
    let occurrence = past.occurrence
    let isDismissed = occurrence.outcome == .rung && occurrence.dismissal(among: others) != nil
    let outcome =
      (isDismissed ? tr("dismissed") : occurrence.outcome.word)
      + (past.deletedAt == nil ? "" : tr(", deleted"))
    return [
      .init("\(past.number)"), .init(moments.text(occurrence.dueAt)), .init(outcome),
      .init(past.label?.visible ?? ""), .init(AlarmText.lateness(occurrence) ?? ""),
    ]
  }
}

extension WireOccurrence {
  /// When somebody dismissed it; nil where the next ring took its place.
  ///
  /// - Parameter others: Of its alarm.
  func dismissal(among others: some Sequence<WireOccurrence>) -> Instant? {
    others.contains { $0.firedAt == dismissedAt } ? nil : dismissedAt
  }
}
