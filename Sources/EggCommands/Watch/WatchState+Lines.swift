import EggTime
import Gettext

/// Input lines about an alarm.
extension WatchState {
  /// Edits the line, leaves it, or sends what it says. One that cannot be read stays.
  mutating func type(
    _ key: Key, _ prompt: Prompt, _ line: TypedLine, in context: ReadingContext
  ) -> [WatchRequest] {
    var line = line
    switch (key, prompt) {
    case (.escape, _): mode = .list
    case (.enter, _):
      guard let requests = requests(of: prompt, line.text, in: context) else { break }
      mode = .list
      return requests
    case (.up, .snooze(_, let lengths)), (.down, .snooze(_, let lengths)):
      let place = lengths.firstIndex(of: line.text).map { $0 + (key == .down ? 1 : lengths.count - 1) } ?? 0
      if !lengths.isEmpty {
        mode = .typing(prompt, TypedLine(lengths[place % lengths.count], isOffer: true))
      }
    case (.tab, .group):
      // The first group that begins with the line.
      if let name = groups.map(\.name).first(where: { $0.hasPrefix(line.text) }) {
        mode = .typing(prompt, TypedLine(name))
      }
    default: if line.press(key) { mode = .typing(prompt, line) }
    }
    return []
  }

  /// nil if the line cannot be read.
  private mutating func requests(
    of prompt: Prompt, _ text: String, in context: ReadingContext
  ) -> [WatchRequest]? {
    switch prompt {
    case .add:
      switch AddLine.read(text, changing: false, in: context) {
      case (.wrong, _): return nil
      case (.empty, _), (.label, _): return []
      case (.alarm(let time, _, let label), let moments):
        return [.schedule(expression: time.text, label: label, moments: moments)]
      }
    case .edit(let id):
      switch AddLine.read(text, changing: true, in: context) {
      case (.wrong, _): return nil
      case (.empty, let moments):
        return moments.map { [.edit(id, expression: nil, label: nil, moments: $0)] } ?? []
      case (.label(let label), let moments):
        return [.edit(id, expression: nil, label: label, moments: moments)]
      case (.alarm(let time, _, let label), let moments):
        return [.edit(id, expression: time.text, label: label, moments: moments)]
      }
    case .extend(let id):
      if let span = AddLine.span(text, in: context) { return [.extend(id, span)] }
      notice = tr("enter a span: 90s, 10m, 1h30m")
    case .snooze(let id, _):
      if let words = SnoozeWords(text, in: context) {
        snoozed = [text] + snoozed.filter { $0 != text }.prefix(2)
        return [.snooze(id, words)]
      }
      notice = tr("enter a span or a time: 10m, tomorrow 9:00")
    case .group(let id):
      // Empty for no group.
      let name = text.trimmingBlanks
      return name == list.alarm(id)?.wire.group ?? "" ? [] : [.group(id, name)]
    }
    return nil
  }

  /// Asks how long: the last lengths are offered, then those of config.toml.
  mutating func ask(_ offer: SnoozeOffer) {
    var lengths: [String] = []
    for length in snoozed + offer.lengths where !lengths.contains(length) { lengths.append(length) }
    mode = .typing(
      .snooze(offer.id, Array(lengths.prefix(3))), TypedLine(lengths.first ?? "5m", isOffer: true))
  }
}

extension String {
  /// Without surrounding blanks.
  var trimmingBlanks: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
