import EggProtocol
import EggTime
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
    case .details(let reply, let top): return page(details(reply, from: top))
    default: break
    }
    var lines = layout.hasTitle ? [text(title(above: Set(visible.map(\.alarm.id))))] : []
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
    let lines = (layout.hasTitle ? [title(above: [])] : []) + lines.map { StyledLine($0) }
    return Picture(lines: filled(lines.map(text), layout.lines))
  }

  /// As much of what `show` prints as the screen has room for.
  private func details(_ reply: ShowReply, from top: Int) -> [String] {
    let lines = lines(of: reply)
    let start = min(top, max(0, lines.count - detailsRoom))
    return lines[start...].prefix(detailsRoom) + [
      lines.count > detailsRoom
        ? tr("up, down: scroll; another key: back to the list") : tr("any key: back to the list")
    ]
  }

  private func lines(of reply: ShowReply) -> [String] {
    AlarmText(moments: moments).full(reply, width: layout.columns, colours: false)
      .split(separator: "\n").map(String.init)
  }

  private var detailsRoom: Int { max(0, layout.lines - (layout.hasTitle ? 2 : 1)) }

  /// The first line of the last page of details.
  var lastDetailsTop: Int {
    guard case .details(let reply, _) = state.mode else { return 0 }
    return max(0, lines(of: reply).count - detailsRoom)
  }

  func text(_ line: StyledLine) -> String { line.text(in: layout.columns, colours: colours) }

  private func filled(_ lines: [String], _ count: Int) -> [String] {
    lines.prefix(count) + Array(repeating: "", count: max(0, count - lines.count))
  }

  /// The totals of the shown alarms, or why they are unknown.
  ///
  /// - Parameter seen: The alarms that have a row on the screen.
  private func title(above seen: Set<WatchedID>) -> StyledLine {
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
    return StyledLine(totals(besides: seen), .bold)
  }

  /// The totals. What rings and what comes next stand in their place where they have no row on the screen.
  private func totals(besides seen: Set<WatchedID>) -> String {
    let ringing = state.list.ringing
    let unseen = ringing.filter { !seen.contains($0.id) }
    var parts: [String] = []
    if let only = unseen.first, unseen.count == 1 {
      parts.append(tr("rings: \(state.name(of: only))"))
    } else if !unseen.isEmpty {
      parts.append(tr("rings: \(unseen.map(\.wire.number).numberList)"))
    } else if !ringing.isEmpty {
      parts.append(tr("\(ringing.count) ringing"))
    }
    let room = layout.columns - parts.map { $0.displayWidth + 3 }.reduce(0, +)
    if let next = state.next, let due = next.wire.due, !seen.contains(next.id) {
      let left = SpanText.left(due - moments.now)
      let number = "#\(next.wire.number)"
      let forms = [tr("next in \(left): \(state.name(of: next))"), tr("next in \(left): \(number)")]
      parts.append(forms.first { $0.displayWidth <= room } ?? tr("next: \(number)"))
    } else {
      parts.append(AlarmText(moments: moments).totals(state.totals, in: room))
    }
    return parts.joined(separator: " · ")
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
