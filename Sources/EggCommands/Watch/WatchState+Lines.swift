import EggProtocol
import EggTime

/// Lines that are typed about an alarm.
extension WatchState {
  /// A line that changes the alarm of that number.
  mutating func edit(
    _ number: Int64, _ key: Key, _ line: TypedLine, in context: ReadingContext
  ) -> [WatchRequest] {
    guard key == .enter else {
      type(key, line) { .edit(number, $0) }
      return []
    }
    switch EditLine.read(line.text, in: context) {
    case .empty: mode = .list
    case .wrong: break
    case .edit(let time, _, let label):
      mode = .list
      return [.edit(number, expression: time?.text, label: label)]
    }
    return []
  }

  /// A line with the span by which the alarm is to ring later.
  mutating func extend(
    _ number: Int64, _ key: Key, _ line: TypedLine, in context: ReadingContext
  ) -> [WatchRequest] {
    guard key == .enter else {
      type(key, line) { .extend(number, $0) }
      return []
    }
    guard let span = EditLine.span(line.text, in: context) else {
      notice = "a span of time is meant: 90s, 10m, 1h30m"
      return []
    }
    mode = .list
    return [.extend(number, span)]
  }

  /// A line with the group's name; without one the alarm leaves its group.
  mutating func group(_ number: Int64, _ key: Key, _ line: TypedLine) -> [WatchRequest] {
    switch key {
    case .enter:
      mode = .list
      let name = line.text.trimmingBlanks
      return name == list.alarm(number)?.group ?? "" ? [] : [.group(number, name)]
    case .tab:
      // The first group that begins as what was typed.
      if let name = groups.map(\.name).first(where: { $0.hasPrefix(line.text) }) {
        mode = .group(number, TypedLine(name))
      }
    default: type(key, line) { .group(number, $0) }
    }
    return []
  }

  /// Another order of the list; the cursor stays at its alarm.
  mutating func sort() {
    let order = list.order.next
    sort(by: order)
    notice =
      switch order {
      case .list: "in the order of the list"
      case .due: "sorted by due"
      case .label: "sorted by label"
      }
  }

  private mutating func type(_ key: Key, _ line: TypedLine, _ mode: (TypedLine) -> Mode) {
    var line = line
    if key == .escape {
      self.mode = .list
    } else if line.press(key) {
      self.mode = mode(line)
    }
  }
}

extension String {
  /// Without blanks at its ends.
  fileprivate var trimmingBlanks: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
