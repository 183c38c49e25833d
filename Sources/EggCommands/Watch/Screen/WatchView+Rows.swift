import Alarms
import EggProtocol
import EggTime
import Gettext

extension WatchView {
  /// The columns for the whole list, so that they stay while it scrolls; two cells are for the cursor.
  var columns: ListColumns {
    var needs = state.list.needs
    needs.host = state.hosts.map(\.displayWidth).max() ?? 0
    for (_, alarm) in visible {
      needs.left = max(needs.left, ListRow(alarm.wire, moments).left.displayWidth)
    }
    return ListColumns(needs, dues: moments.dueWidths, in: layout.columns, margin: 2)
  }

  /// The visible rows; if there are none, what to enter.
  var rows: [String] {
    guard state.list.count > 0 else { return empty.map { text(StyledLine($0)) } }
    let columns = columns
    let alarms = visible.map { index, alarm in
      var row = ListRow(alarm.wire, moments)
      row.host = state.name(ofHost: alarm.host) ?? ""
      let style = alarm.wire.group.map(self.style(ofGroup:)) ?? .plain
      var line = StyledLine(index == focus ? ">" : "")
      columns.append(row, moments, group: style, to: &line)
      return line.text(in: layout.columns, isSelected: index == focus && colours, colours: colours)
    }
    let leftOut = state.list.leftOut
    return leftOut == 0 ? alarms : alarms + [text(StyledLine(ListSections.leftOutText(leftOut), .dim))]
  }

  /// The visible alarms and their indices.
  var visible: [(index: Int, alarm: WatchedAlarm)] {
    let last = min(state.top + layout.rows, state.list.count)
    return (state.top..<max(last, state.top)).compactMap { index in
      state.alarm(at: index).map { (index, $0) }
    }
  }

  /// The index of the highlighted row.
  private var focus: Int {
    if case .move(_, let target) = state.mode { return target }
    return state.cursor
  }

  private var empty: [String] {
    guard state.link == .live else { return [] }
    if state.filter.isEmpty { return [tr("no alarms yet"), tr("a 6m30s two soft ones   or h for hungry")] }
    return [tr("nothing matches '\(state.filter.visible)'"), tr("Esc shows all")]
  }

  /// When the lines next change by time alone; nil if they do not.
  func nextChange() -> Instant? {
    var dues = visible.compactMap(\.alarm.wire.due)
    if let next = state.totals.next { dues.append(next) }
    switch state.mode {
    case .typing(.add, let line), .typing(.edit, let line):
      if case .alarm(let time, let first, _) = read(line).line, time.kind != .span { dues.append(first) }
    case .details(let reply, _): if let due = reply.alarm.due { dues.append(due) }
    default: break
    }
    return dues.compactMap { SpanText.leftLasts($0 - moments.now) }.min().map { moments.now + $0 }
  }
}
