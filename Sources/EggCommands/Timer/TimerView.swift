import EggProtocol
import EggTime
import Gettext

/// Draws the countdown: digits as large as fit, a bar, the label, the moment, the keys.
struct TimerView {
  let state: TimerState
  let moments: Moments
  let columns: Int
  let lines: Int

  /// Until the next ring; nil for an alarm that waits for nothing.
  var left: TimeSpan? {
    guard let alarm = state.alarm else { return nil }
    switch alarm.state {
    case .paused: return alarm.remaining ?? alarm.due.map { $0 - moments.now }
    case .ringing: return .zero
    default: return end.map { max($0 - moments.now, .zero) }
    }
  }

  private var end: Instant? {
    state.alarm?.state == .snoozed ? state.alarm?.latest?.snoozedUntil : state.alarm?.due
  }

  /// As many lines as the screen has.
  func picture() -> [StyledLine] {
    let details = [bar, label, moment].compactMap(\.self)
    let room = lines - details.count - 1
    let digits = digits(in: room)
    var body = digits.map { centred($0, style) }
    if room - digits.count > 1, !digits.isEmpty { body.append(StyledLine()) }
    body += details
    let above = max(0, (lines - 1 - body.count) / 2)
    body = Array(repeating: StyledLine(), count: above) + body.prefix(max(0, lines - 1))
    body += Array(repeating: StyledLine(), count: max(0, lines - 1 - body.count))
    return body + [centred((state.notice ?? state.absence ?? keys).visible.cut(to: columns), .dim)]
  }

  private var style: Style {
    switch state.alarm?.state {
    case .ringing: .ringing
    case .paused: .dim
    default: .bold
    }
  }

  private func centred(_ text: String, _ style: Style = .plain) -> StyledLine {
    var line = StyledLine()
    line.append(blanks: (columns - text.displayWidth) / 2)
    line.append(text, style)
    return line
  }

  private func digits(in room: Int) -> [String] {
    guard let left else { return state.alarm.map { [$0.state.word] } ?? [] }
    let seconds = (left.microseconds + 999_999) / 1_000_000
    let hours = seconds / 3_600
    func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let minutes = hours > 0 ? "\(hours):" + two(seconds / 60 % 60) : "\(seconds / 60)"
    return BigDigits.lines("\(minutes):\(two(seconds % 60))", columns: columns - 2, lines: room)
  }

  /// How much has passed; nil for what does not count down.
  private var bar: StyledLine? {
    guard let alarm = state.alarm, let left, alarm.state != .ringing else { return nil }
    let since = alarm.modifiedAt ?? alarm.createdAt ?? moments.now
    let whole = (alarm.state == .snoozed ? nil : alarm.span) ?? end.map { $0 - since } ?? left
    let width = min(max(columns - 4, 1), 60)
    let passed = max(whole - left, .zero).microseconds
    let full = Int(Double(width) * Double(passed) / Double(max(max(whole, left).microseconds, 1)))
    var line = StyledLine()
    line.append(blanks: (columns - width) / 2)
    line.append(String(repeating: "█", count: full), .green)
    line.append(String(repeating: "░", count: width - full), .dim)
    return line
  }

  private var label: StyledLine? {
    state.alarm?.title.map { centred($0.visible.cut(to: columns), .bold) }
  }

  private var moment: StyledLine? {
    guard let alarm = state.alarm else { return nil }
    let text =
      switch alarm.state {
      case .paused: alarm.remaining.map { _ in alarm.state.word }
      case .ringing: tr("it rings")
      default: end.map { tr("rings at \(moments.text($0))") }
      }
    return text.map { centred($0.cut(to: columns)) }
  }

  private var keys: String {
    switch state.alarm?.state {
    case .ringing: tr("Enter dismiss  s snooze  q leave")
    case .paused: tr("Space resume  + - a minute  q leave")
    default: tr("Space pause  + - a minute  q leave")
    }
  }
}

/// Digits of blocks, three by five each.
enum BigDigits {
  private static let glyphs: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"], "1": [" # ", "## ", " # ", " # ", "###"],
    "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
    ":": [" ", "#", " ", "#", " "],
  ]

  /// The text as large as fits, a cell being twice as high as wide; in one line if it must.
  static func lines(_ text: String, columns: Int, lines: Int) -> [String] {
    let rows = (0..<5).map { row in text.map { glyphs[$0]?[row] ?? "" }.joined(separator: " ") }
    let width = rows.map(\.count).max() ?? 0
    let largest = min(columns / max(width * 2, 1), lines / 5)
    let (across, down) = largest > 0 ? (largest * 2, largest) : (1, 1)
    guard width * across <= columns, 5 * down <= lines else { return lines > 0 ? [text] : [] }
    return rows.flatMap { row in
      let line = row.map { String(repeating: $0 == "#" ? "█" : " ", count: across) }.joined()
      return Array(repeating: line, count: down)
    }
  }
}
