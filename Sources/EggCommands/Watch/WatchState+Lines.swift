import EggTime
import Gettext

/// Input lines about an alarm.
extension WatchState {
  /// Edits the line that schedules an alarm.
  mutating func add(_ key: Key, _ line: TypedLine, in context: ReadingContext) -> [WatchRequest] {
    guard key == .enter else { return type(key, line) { .add($0) } }
    let (said, moments) = AddLine.read(line.text, changing: false, in: context)
    switch said {
    case .wrong: return []
    case .empty, .label:
      mode = .list
      return []
    case .alarm(let time, _, let label):
      mode = .list
      return [.schedule(expression: time.text, label: label, moments: moments)]
    }
  }

  /// Edits the line that changes the alarm.
  mutating func edit(
    _ id: WatchedID, _ key: Key, _ line: TypedLine, in context: ReadingContext
  ) -> [WatchRequest] {
    guard key == .enter else { return type(key, line) { .edit(id, $0) } }
    let (said, moments) = AddLine.read(line.text, changing: true, in: context)
    var request: WatchRequest? = moments.map { .edit(id, expression: nil, label: nil, moments: $0) }
    switch said {
    case .empty: break
    case .wrong: return []
    case .label(let label): request = .edit(id, expression: nil, label: label, moments: moments)
    case .alarm(let time, _, let label):
      request = .edit(id, expression: time.text, label: label, moments: moments)
    }
    mode = .list
    return request.map { [$0] } ?? []
  }

  /// Edits the line with the span to extend by.
  mutating func extend(
    _ id: WatchedID, _ key: Key, _ line: TypedLine, in context: ReadingContext
  ) -> [WatchRequest] {
    guard key == .enter else { return type(key, line) { .extend(id, $0) } }
    guard let span = AddLine.span(line.text, in: context) else {
      notice = tr("enter a span: 90s, 10m, 1h30m")
      return []
    }
    mode = .list
    return [.extend(id, span)]
  }

  /// Asks how long: the last lengths are offered, then those of config.toml.
  mutating func ask(_ offer: SnoozeOffer) {
    var lengths: [String] = []
    for length in snoozed + offer.lengths where !lengths.contains(length) { lengths.append(length) }
    mode = .snooze(offer.id, TypedLine(lengths.first ?? "5m", isOffer: true), Array(lengths.prefix(3)))
  }

  /// Edits the line with the length of a snooze.
  mutating func snooze(
    _ id: WatchedID, _ key: Key, _ line: TypedLine, _ lengths: [String], in context: ReadingContext
  ) -> [WatchRequest] {
    switch key {
    case .enter:
      guard let words = SnoozeWords(line.text, in: context) else {
        notice = tr("enter a span or a time: 10m, tomorrow 9:00")
        return []
      }
      mode = .list
      snoozed.removeAll { $0 == line.text }
      snoozed = [line.text] + snoozed.prefix(2)
      return [.snooze(id, words)]
    case .up, .down:
      let place = lengths.firstIndex(of: line.text).map { $0 + (key == .down ? 1 : lengths.count - 1) } ?? 0
      if !lengths.isEmpty {
        mode = .snooze(id, TypedLine(lengths[place % lengths.count], isOffer: true), lengths)
      }
    default: return type(key, line) { .snooze(id, $0, lengths) }
    }
    return []
  }

  /// Edits the line with the group's name; empty for no group.
  mutating func group(_ id: WatchedID, _ key: Key, _ line: TypedLine) -> [WatchRequest] {
    switch key {
    case .enter:
      mode = .list
      let name = line.text.trimmingBlanks
      return name == list.alarm(id)?.wire.group ?? "" ? [] : [.group(id, name)]
    case .tab:
      // The first group that begins with the line.
      if let name = groups.map(\.name).first(where: { $0.hasPrefix(line.text) }) {
        mode = .group(id, TypedLine(name))
      }
    default: return type(key, line) { .group(id, $0) }
    }
    return []
  }

  /// Switches to the next order; the cursor stays on its alarm.
  mutating func sort() {
    let order = list.order.next
    sort(by: order)
    notice =
      switch order {
      case .list: tr("in list order")
      case .due: tr("sorted by due")
      case .label: tr("sorted by label")
      }
  }

  /// Edits the line or leaves it, which needs no request.
  private mutating func type(_ key: Key, _ line: TypedLine, _ mode: (TypedLine) -> Mode) -> [WatchRequest] {
    var line = line
    if key == .escape {
      self.mode = .list
    } else if line.press(key) {
      self.mode = mode(line)
    }
    return []
  }
}

extension String {
  /// Without surrounding blanks.
  fileprivate var trimmingBlanks: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
