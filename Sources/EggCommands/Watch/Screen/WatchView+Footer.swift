import EggProtocol
import EggTime
import Gettext

extension ExpressionHint {
  /// Like ``words``, but short.
  fileprivate var shortWords: String {
    switch self {
    case .averageUnits(let instead): tr("a month is 30.44 days; or \(instead)?")
    case .denseEvent: tr("rings more than once a minute")
    case .calendarUnits: tr("counted on the calendar")
    case .timeOfDay(let instead), .afternoon(let instead), .weekAfter(let instead), .dayAfter(let instead),
      .midnight(let instead), .firstDay(let instead):
      tr("or \(instead)?")
    case .usualTime(let time): tr("at \(time)")
    }
  }
}

extension WatchView {
  /// The bottom lines, and the cursor's column in the first of them.
  struct Footer {
    var lines: [StyledLine]
    var caret: Int?
  }

  /// An input line, a question or a message; otherwise what the keys do.
  var footer: Footer {
    switch state.mode {
    case .typing(.add, let line):
      let name = state.name(ofHost: state.target).map { tr("add on \($0): ") } ?? tr("add: ")
      return footer(name, line) { preview(line, at: $0) }
    case .typing(.edit(let id), let line):
      return footer(tr("edit #\(id.number): "), line) { preview(line, at: $0) }
    case .typing(.extend(let id), let line): return footer(tr("extend #\(id.number) by: "), line)
    case .typing(.snooze(let id, let lengths), let line):
      let list = lengths.map(\.visible).joined(separator: " · ")
      return footer(tr("snooze #\(id.number) for: "), line) { _ in StyledLine(tr("up, down: \(list)"), .dim) }
    case .typing(.group(let id), let line): return footer(tr("group of #\(id.number): "), line)
    case .filter(let line, _):
      let (prompt, caret) = prompt(tr("filter: "), line)
      return Footer(lines: [prompt], caret: caret)
    case .confirmDelete(let id):
      let name = state.list.alarm(id).map(state.name(of:)) ?? "#\(id.number)"
      let question = tr("delete \(name.cut(to: max(1, layout.columns - 13)))? y/n")
      return Footer(lines: [StyledLine(question, .bold)])
    case .confirmUndo(let change):
      let host = state.name(ofHost: state.target).map { "\($0): " } ?? ""
      let text = (host + UndoText(moments: moments).sentence(change)).cut(to: max(1, layout.columns - 11))
      return Footer(lines: [StyledLine(tr("undo \(text)? y/n"), .bold)])
    case .move(let id, _):
      return Footer(lines: [StyledLine(tr("move #\(id.number): up, down, then Enter; Esc"), .bold)])
    case .list, .help, .details: break
    }
    if let notice = state.notice { return Footer(lines: [StyledLine(notice.visible, .bold)]) }
    return Footer(lines: [hints])
  }

  /// An input line, and below it the message, otherwise what the line says; `below` takes the cursor's column.
  private func footer(_ name: String, _ line: TypedLine, below: (Int) -> StyledLine? = { _ in nil }) -> Footer
  {
    let (prompt, caret) = prompt(name, line)
    let below = state.notice.map { StyledLine($0.visible, .error) } ?? below(caret)
    return Footer(lines: [prompt] + [below].compactMap(\.self), caret: caret)
  }

  /// Reads the line that schedules or changes an alarm.
  func read(_ line: TypedLine) -> (line: AddLine, moments: MomentWords?) {
    let isEdit = if case .typing(.edit, _) = state.mode { true } else { false }
    return AddLine.read(line.text, changing: isEdit, in: moments.context)
  }

  /// The key hints that fit, most useful first; an active filter comes before them.
  private var hints: StyledLine {
    var left = layout.columns
    var line = StyledLine()
    if !state.filter.isEmpty {
      line.append("/\(state.filter.visible.cut(to: max(1, layout.columns / 3)))", .bold)
      line.append(blanks: 2)
      left -= line.width
    }
    let shown = Self.keys.sorted { $0.rank < $1.rank }.prefix { hint in
      left -= hint.key.count + hint.text.displayWidth + 3
      return left + 2 >= 0
    }
    for hint in Self.keys where hint.rank < shown.count {
      line.append(hint.key, .bold)
      line.append(" \(hint.text)")
      line.append(blanks: 2)
    }
    return line
  }

  /// Their ranks count from 0, the most useful first.
  private static let keys: [(key: String, text: String, rank: Int)] = [
    ("a", tr("add"), 0), ("e", tr("edit"), 4), ("d", tr("delete"), 3), ("x", tr("done"), 6),
    ("s", tr("snooze"), 7),
    ("+", tr("extend"), 13), ("p", tr("pause"), 8), ("r", tr("again"), 14), ("g", tr("group"), 15),
    ("m", tr("move"), 11),
    ("o", tr("sort"), 10), ("u", tr("undo"), 12), ("/", tr("filter"), 9), ("h", tr("hungry"), 5),
    ("?", tr("help"), 1),
    ("q", tr("quit"), 2),
  ]

  /// An input line, cut to fit around the cursor, and the cursor's column.
  private func prompt(_ name: String, _ typed: TypedLine) -> (StyledLine, caret: Int) {
    let before = typed.before.visible.end(fitting: max(0, layout.columns - name.displayWidth - 1))
    var line = StyledLine(name, .bold)
    line.append(before)
    let caret = min(line.width, layout.columns - 1)
    line.append(typed.after.visible)
    return (line, caret)
  }

  /// How the time is read and when it comes, or what else changes; if it cannot be read, why, under the place.
  private func preview(_ typed: TypedLine, at caret: Int) -> StyledLine {
    let (line, said) = read(typed)
    switch line {
    case .empty:
      guard case .typing(.edit, _) = state.mode else {
        return StyledLine(tr("6m30s two soft ones, or tomorrow 07:30"), .dim)
      }
      return said.map { StyledLine(moments.text($0), .bold) }
        ?? StyledLine(tr("8m, tomorrow 07:30, or \"another label\""), .dim)
    case .wrong(let reason, let offset): return remark(reason, at: offset, in: typed, caret)
    case .label(let label):
      return label.isEmpty ? StyledLine(tr("no label")) : StyledLine(label.visible, .bold)
    case .alarm(let time, let first, let label): return preview(time, first, label, said)
    }
  }

  /// Why a line cannot be read, under its place if there is room.
  private func remark(_ reason: String, at offset: Int, in typed: TypedLine, _ caret: Int) -> StyledLine {
    let start = caret - typed.before.visible.displayWidth
    let readable = String(decoding: typed.text.utf8.prefix(offset), as: UTF8.self)
    let column = start + readable.visible.displayWidth
    var line = StyledLine()
    guard column >= 0, column + reason.displayWidth + 2 <= layout.columns else {
      return StyledLine(reason, .error)
    }
    line.pad(to: column)
    line.append("^ \(reason)", .error)
    return line
  }

  private func preview(
    _ time: TimeExpression, _ first: Instant, _ label: String?, _ said: MomentWords?
  ) -> StyledLine {
    let left = SpanText.left(first - moments.now)
    var line = StyledLine(
      "\(moments.text(first))  " + (time.kind == .calendar ? tr("first in \(left)") : tr("in \(left)")))
    line.append(blanks: 2)
    if let remark = remark(time, first) {
      line.append(remark.visible, .alert)
      line.append(blanks: 2)
    }
    if let said {
      line.append(moments.text(said))
      line.append(blanks: 2)
    }
    if let label { line.append(label.visible, .bold) }
    return line
  }

  /// What may be surprising about the time, in a few words; the label makes room for it.
  private func remark(_ time: TimeExpression, _ first: Instant) -> String? {
    if case .typing(.edit(let id), _) = state.mode, time.kind != .calendar,
      state.list.alarm(id)?.wire.isRecurring == true
    {
      return tr("once only")
    }
    if let hint = time.hint { return hint.shortWords }
    guard case .recurring(let recurring) = time.reading else { return nil }
    let zone = time.zoneName.flatMap { try? Zone.named($0) } ?? moments.zone
    return recurring.skipped(after: moments.now, first: first, in: zone)?.words(clock: tr("the clock"))
  }
}
