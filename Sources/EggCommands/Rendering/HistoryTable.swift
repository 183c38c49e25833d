import EggProtocol
import EggTime
import Gettext

/// The table of `eggctl history`, page by page.
struct HistoryTable {
  private let moments: Moments
  private let colours: Bool
  private var table: Table
  /// Whether the moments are short, so that labels are seen.
  private let isNarrow: Bool
  private var isFirst = true
  /// When each alarm rang, on this page and those before: the latest comes first.
  private var rings: [Int64: Set<Instant>] = [:]

  /// `width` is that of a line in cells, nil for any.
  init(_ moments: Moments, width: Int?, colours: Bool) {
    self.moments = moments
    self.colours = colours
    isNarrow = width ?? .max < 60
    let gap = isNarrow ? 2 : 3
    table = Table(
      [
        Table.Column(heading: "#", minimum: 3, isNumeric: true, gap: gap),
        Table.Column(heading: tr("DUE"), minimum: isNarrow ? 0 : 22, gap: gap),
        Table.Column(heading: tr("OUTCOME"), minimum: 9),
        Table.Column(heading: tr("LABEL"), minimum: 16),
        Table.Column(heading: tr("LATE"), gap: 0),
      ], width: width)
  }

  /// The page's lines; the first page begins with the heading. Columns only get wider.
  mutating func page(_ past: [Past]) -> String {
    guard !past.isEmpty else { return "" }
    for past in past {
      if let moment = past.occurrence.firedAt { rings[past.number, default: []].insert(moment) }
    }
    defer { isFirst = false }
    return table.text(past.map(row), hasHeading: isFirst, colours: colours)
  }

  private func row(_ past: Past) -> [Table.Cell] {
    let occurrence = past.occurrence
    let isDismissed =
      occurrence.outcome == .rung && occurrence.dismissal(besides: rings[past.number] ?? []) != nil
    let outcome =
      (isDismissed ? tr("dismissed") : occurrence.outcome.word)
      + (past.deletedAt == nil ? "" : tr(", deleted"))
    return [
      .init("\(past.number)"), .init(moments.text(occurrence.dueAt, as: isNarrow ? .withoutSeconds : .full)),
      .init(outcome),
      .init(past.label?.visible ?? ""), .init(AlarmText.lateness(occurrence) ?? ""),
    ]
  }
}

extension WireOccurrence {
  /// When somebody dismissed it; nil where the next ring took its place.
  ///
  /// - Parameter rings: Of its alarm.
  func dismissal(besides rings: Set<Instant>) -> Instant? {
    dismissedAt.flatMap { rings.contains($0) ? nil : $0 }
  }
}
