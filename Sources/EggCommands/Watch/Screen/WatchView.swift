import EggProtocol
import EggTime

/// The screen as lines. Pure: the same state, moment and size give the same lines.
struct WatchView {
  let state: WatchState
  let moments: Moments
  let layout: WatchLayout
  let colours: Bool

  /// What is on the screen.
  struct Picture: Equatable {
    /// From the top, as many as the screen has.
    var lines: [String]
    /// Where the terminal's cursor stands, from 0; nil where it is hidden.
    var caret: Caret?

    struct Caret: Equatable {
      var line: Int
      var column: Int
    }
  }

  /// Everything.
  func picture() -> Picture {
    guard state.mode != .help else {
      let lines = (layout.hasTitle ? [title] : []) + Self.help.map { StyledLine($0) }
      return Picture(lines: filled(lines.map(text), layout.lines))
    }
    var lines = layout.hasTitle ? [text(title)] : []
    lines += groups.map(text)
    if layout.hasHeading { lines.append(text(heading)) }
    lines = filled(lines + rows, layout.lines - layout.footerLines)
    let footer = footer
    let caret = footer.caret.map { Picture.Caret(line: lines.count, column: $0) }
    lines += footer.lines.prefix(layout.footerLines).map(text)
    return Picture(lines: filled(lines, layout.lines), caret: layout.footerLines > 0 ? caret : nil)
  }

  func text(_ line: StyledLine) -> String { line.text(in: layout.columns, colours: colours) }

  private func filled(_ lines: [String], _ count: Int) -> [String] {
    lines.prefix(count) + Array(repeating: "", count: max(0, count - lines.count))
  }

  /// The totals of what is shown, or what keeps them from being told.
  private var title: StyledLine {
    switch state.link {
    case .lost(let reason): return StyledLine("\(reason) · trying again every second", .error)
    case .reading where !state.isComplete:
      return StyledLine("reading the list: \(counted(Int64(state.list.total), "alarm")) so far")
    case .reading, .live: break
    }
    let totals = state.totals
    let long = AlarmText(moments: moments).totals(totals)
    if long.displayWidth <= layout.columns { return StyledLine(long, .bold) }
    let next = totals.next.map { SpanText.left($0 - moments.now) } ?? "nothing to come"
    return StyledLine("\(counted(totals.eggs, "egg")) in \(counted(totals.alarms, "alarm")) · \(next)", .bold)
  }

  /// What the keys do; fits ten lines of forty columns with the totals above.
  static let help = [
    "up down PgUp PgDn g G  go to an alarm",
    "a  add: a time, then a label",
    "h  hungry: rings in five seconds",
    "d  delete         x  done, not done",
    "s  snooze         Space  dismiss",
    "p  pause, go on   m  move   u  undo",
    "/  filter: label, group, state, number",
    "q  leave          Ctrl-Z  set aside",
    "any key: back to the list",
  ]
}
