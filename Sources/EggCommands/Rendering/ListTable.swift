import Alarms
import EggProtocol
import EggTime

/// The table of `eggctl list`, page by page.
struct ListTable {
  private let text: AlarmText
  private let colours: Bool
  private var table = Table([
    Table.Column(heading: "#", minimum: 3, isNumeric: true, gap: 3),
    Table.Column(heading: "DUE", minimum: 22, gap: 3),
    Table.Column(heading: "LEFT", minimum: 11, gap: 3),
    Table.Column(heading: "STATE", minimum: 9),
    Table.Column(heading: "EGGS", isNumeric: true),
    Table.Column(heading: "LABEL", gap: 0),
  ])
  private var isFirst = true

  init(_ text: AlarmText, colours: Bool) {
    self.text = text
    self.colours = colours
  }

  /// The page's lines; those of the first begin with the totals and the headings. Widths only grow.
  mutating func page(_ page: ListReply) -> String {
    let rows = page.alarms.map(row)
    table.fit(rows)
    var lines = ""
    if isFirst { lines = text.totals(page.totals) + "\n" + table.heading(colours: colours) }
    isFirst = false
    return lines + table.lines(rows, colours: colours)
  }

  private func row(_ alarm: WireAlarm) -> [Table.Cell] {
    let left = (alarm.due.map { $0 - text.moments.now } ?? alarm.remaining).map(SpanText.left)
    return [
      .init("\(alarm.number)"), .init(alarm.shownMoment.map(text.moments.text) ?? ""), .init(left ?? ""),
      .init(alarm.done ? "done" : alarm.state.rawValue, style: alarm.style), .init("\(alarm.eggs)"),
      .init(name(of: alarm)),
    ]
  }

  /// `two soft ones  [Sunday]`; `↻ get up` for a recurring alarm.
  private func name(of alarm: WireAlarm) -> String {
    var label = alarm.label?.visible
    if alarm.isRecurring { label = RecurringSign.text(before: label ?? "") }
    guard let group = alarm.group?.visible else { return label ?? "" }
    return label.map { "\($0)  [\(group)]" } ?? "[\(group)]"
  }
}

extension WireAlarm {
  fileprivate var style: Style {
    switch state {
    case .ringing: .alert
    case .snoozed: .bold
    case .scheduled: .plain
    case .paused, .rung, .missed, .skipped: .dim
    case .other: .plain
    }
  }
}
