/// Selects alarms that match every entered word: in label or group, or at the beginning of number, state or
/// category. Case does not matter.
struct WatchFilter: Equatable {
  /// As entered.
  let text: String
  private let words: [Substring]

  init(_ text: String = "") {
    self.text = text
    words = text.lowercased().split(separator: " ")
  }

  func passes(_ alarm: WatchedAlarm) -> Bool {
    let (wire, folded) = (alarm.wire, alarm.folded.utf8)
    var beginnings = ["\(wire.number)", "#\(wire.number)", wire.category.rawValue]
    if wire.state != .other { beginnings.append(wire.state.rawValue) }
    if wire.done { beginnings.append("done") }
    return words.allSatisfy { word in
      beginnings.contains { $0.hasPrefix(word) } || folded.contains(word.utf8)
    }
  }
}
