import EggProtocol
import Gettext

/// Draws the screen as lines. Pure: equal state, moment and size give equal lines.
struct WatchView {
  let state: WatchState
  let moments: Moments
  let layout: WatchLayout
  let colours: Bool

  struct Picture: Equatable {
    /// Top to bottom, as many as the screen has.
    var lines: [String]
    /// The cursor's place, from 0; nil if it is hidden.
    var caret: Caret?

    struct Caret: Equatable {
      var line: Int
      var column: Int
    }
  }

  func picture() -> Picture {
    switch state.mode {
    case .help: return page(Self.help)
    case .details(let reply): return page(details(reply))
    default: break
    }
    var lines = layout.hasTitle ? [text(title)] : []
    lines += groups.map(text)
    if layout.hasHeading { lines.append(text(columns.heading)) }
    lines = filled(lines + rows, layout.lines - layout.footerLines)
    let footer = footer
    let caret = footer.caret.map { Picture.Caret(line: lines.count, column: $0) }
    lines += footer.lines.prefix(layout.footerLines).map(text)
    return Picture(lines: filled(lines, layout.lines), caret: layout.footerLines > 0 ? caret : nil)
  }

  /// Lines instead of the list, below the totals.
  private func page(_ lines: [String]) -> Picture {
    let lines = (layout.hasTitle ? [title] : []) + lines.map { StyledLine($0) }
    return Picture(lines: filled(lines.map(text), layout.lines))
  }

  /// What `show` prints, cut to the screen.
  private func details(_ reply: ShowReply) -> [String] {
    let text = AlarmText(moments: moments).full(reply, colours: false)
    let lines = text.split(separator: "\n").map(String.init)
    return lines.prefix(max(0, layout.lines - (layout.hasTitle ? 2 : 1))) + [tr("any key: back to the list")]
  }

  func text(_ line: StyledLine) -> String { line.text(in: layout.columns, colours: colours) }

  private func filled(_ lines: [String], _ count: Int) -> [String] {
    lines.prefix(count) + Array(repeating: "", count: max(0, count - lines.count))
  }

  /// The totals of the shown alarms, or why they are unknown.
  private var title: StyledLine {
    switch state.link {
    case .lost:
      let reasons = state.links.compactMap { link in if case .lost(let reason) = link { reason } else { nil }
      }
      let text = tr("\(reasons.joined(separator: " · ")) · trying again")
      guard state.links.count > reasons.count else { return StyledLine(text, .error) }
      return StyledLine("\(text) · \(AlarmText(moments: moments).totals(state.totals))", .error)
    case .reading where !state.isComplete:
      return StyledLine(tr("reading the list: \(Counted.alarms(Int64(state.list.total))) so far"))
    case .reading, .live: break
    }
    let rings = state.list.ringing
    let ringing = rings == 0 ? "" : tr("\(rings) ringing") + " · "
    let room = layout.columns - ringing.displayWidth
    return StyledLine(ringing + AlarmText(moments: moments).totals(state.totals, in: room), .bold)
  }

  /// The keys; fits ten lines of forty columns, including the totals.
  static let help = [
    tr("up down PgUp PgDn Home G  go to an alarm"),
    tr("a  add   e  edit: a time, then a label"),
    tr("h  hungry: alarm in five seconds"),
    tr("d  delete  x  done   Enter  details"),
    tr("s  snooze  +  extend Space  dismiss"),
    tr("p  pause   r  again  g  group"),
    tr("m  move    o  sort   u  undo  U  redo"),
    tr("/  filter  q  quit   Ctrl-Z  suspend"),
    tr("any key: back to the list"),
  ]
}

/// The lines of a screen: totals, groups, heading, rows, footer.
struct WatchLayout: Equatable {
  let columns: Int
  let lines: Int
  /// Whether the first line has the totals.
  let hasTitle: Bool
  let groupLines: Int
  let groupsInLine: Int
  let hasHeading: Bool
  let rows: Int
  let footerLines: Int

  let groupWidth: Int

  /// Fits any size, even none. `groupWidth` includes the gap to the next group.
  init(columns: Int, lines: Int, groups: Int, groupWidth: Int, footer: Int) {
    self.columns = max(columns, 1)
    self.lines = max(lines, 1)
    hasTitle = self.lines > 2
    hasHeading = self.lines > 5
    footerLines = min(footer, self.lines - 1)
    self.groupWidth = groupWidth
    groupsInLine = max(1, (self.columns + 2) / groupWidth)
    let needed = (groups + groupsInLine - 1) / groupsInLine
    groupLines = min(needed, max(0, (self.lines - 6) / 4))
    rows = self.lines - (hasTitle ? 1 : 0) - (hasHeading ? 1 : 0) - footerLines - groupLines
  }
}
