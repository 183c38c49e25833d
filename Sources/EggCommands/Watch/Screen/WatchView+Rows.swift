import Alarms
import EggProtocol
import EggTime

extension WatchView {
  /// Cells of the columns, before the label, that takes what is left.
  private enum Width {
    static let due = 22
    static let left = 11
    static let state = 9
    static let eggs = 4
  }

  /// What stands above the rows.
  var heading: StyledLine {
    var line = StyledLine()
    line.append(blanks: 2)
    line.append(cell: "#", numberWidth, isNumeric: true, .dim)
    if layout.hasDue { line.append(cell: "DUE", Width.due, .dim) }
    line.append(cell: "LEFT", Width.left, .dim)
    if layout.hasState { line.append(cell: "STATE", Width.state, .dim) }
    if layout.hasEggs { line.append(cell: "EGGS", Width.eggs, isNumeric: true, .dim) }
    line.append("LABEL", .dim)
    return line
  }

  /// The lines of the alarms that are on the screen; what to type where there are none.
  var rows: [String] {
    guard state.list.count > 0 else { return empty.map { text(StyledLine($0)) } }
    let width = numberWidth
    return visible.map { index, alarm in
      let line = row(alarm, numberWidth: width, isCurrent: index == focus)
      return index == focus && colours
        ? line.bar(in: layout.columns, .reverse, colours: colours) : text(line)
    }
  }

  /// The alarms on the screen and their indices.
  private var visible: [(index: Int, alarm: WatchedAlarm)] {
    let last = min(state.top + layout.rows, state.list.count)
    return (state.top..<max(last, state.top)).compactMap { index in
      state.alarm(at: index).map { (index, $0) }
    }
  }

  /// The index of the row that stands out.
  private var focus: Int {
    if case .move(_, let target) = state.mode { return target }
    return state.cursor
  }

  private var numberWidth: Int { max(3, visible.map { "\($0.alarm.number)".count }.max() ?? 0) }

  private var empty: [String] {
    guard state.link == .live else { return [] }
    if state.filter.isEmpty { return ["no alarms yet", "a 6m30s two soft ones   or h for hungry"] }
    return ["nothing matches '\(state.filter.visible)'", "Esc shows all"]
  }

  private func row(_ alarm: WatchedAlarm, numberWidth: Int, isCurrent: Bool) -> StyledLine {
    let style = alarm.style
    var line = StyledLine(isCurrent ? ">" : "")
    line.pad(to: 2)
    line.append(cell: "\(alarm.number)", numberWidth, isNumeric: true, style)
    if layout.hasDue { line.append(cell: alarm.moment.map(moments.text) ?? "", Width.due, style) }
    line.append(cell: left(of: alarm), Width.left, style)
    if layout.hasState { line.append(cell: alarm.standing, Width.state, style) }
    if layout.hasEggs { line.append(cell: "\(alarm.eggs)", Width.eggs, isNumeric: true, style) }
    let label = alarm.isRecurring ? RecurringSign.text(before: alarm.label) : alarm.label
    line.append(label, style)
    if let group = alarm.group {
      if !label.isEmpty { line.append(blanks: 2) }
      line.append(group.visible, self.style(ofGroup: group))
    }
    return line
  }

  /// The time left; where there is no column for the state, that where it says more.
  private func left(of alarm: WatchedAlarm) -> String {
    if !layout.hasState, alarm.done || ![.scheduled, .snoozed].contains(alarm.state) {
      return alarm.standing
    }
    return (alarm.due.map { $0 - moments.now } ?? alarm.remaining).map(SpanText.left) ?? ""
  }

  /// When the lines next change by the passing of time alone; nil where they do not.
  func nextChange() -> Instant? {
    var dues = visible.compactMap(\.alarm.due)
    if let next = state.totals.next { dues.append(next) }
    if case .add(let line) = state.mode, case .alarm(let time, let first, _) = read(line), time.kind != .span
    {
      dues.append(first)
    }
    return dues.compactMap { SpanText.leftLasts($0 - moments.now) }.min().map { moments.now + $0 }
  }
}

extension WatchedAlarm {
  /// `scheduled`, `done`.
  fileprivate var standing: String { done ? "done" : state.rawValue }

  fileprivate var style: Style {
    switch state {
    case .ringing: .ringing
    case .snoozed: .bold
    case .scheduled: done ? .dim : .plain
    case .paused, .rung, .missed, .skipped: .dim
    case .other: .plain
    }
  }
}
