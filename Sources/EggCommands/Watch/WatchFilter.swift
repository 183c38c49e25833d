import Alarms

/// Selects alarms that match every entered word: in label or group, or at the beginning of number, state or
/// category. Case does not matter.
struct WatchFilter: Equatable {
  /// As entered.
  let text: String
  private let words: [Word]

  init(_ text: String = "") {
    self.text = text
    words = text.lowercased().split(separator: " ").map(Word.init)
  }

  func passes(_ alarm: WatchedAlarm) -> Bool { words.allSatisfy { $0.isIn(alarm) } }

  /// One word, prepared once for all alarms.
  private struct Word: Equatable {
    let bytes: [UInt8]
    let digits: String?
    let states: [Alarm.Phase]
    let categories: [Category]
    let isDone: Bool

    init(_ word: Substring) {
      bytes = Array(word.utf8)
      let number = word.hasPrefix("#") ? word.dropFirst() : word
      digits = number.utf8.allSatisfy { (0x30...0x39).contains($0) } ? String(number) : nil
      states = Alarm.Phase.allCases.filter { $0 != .other && $0.rawValue.hasPrefix(word) }
      categories = Category.allCases.filter { $0.rawValue.hasPrefix(word) }
      isDone = "done".hasPrefix(word)
    }

    func isIn(_ alarm: WatchedAlarm) -> Bool {
      if let digits, String(alarm.wire.number).hasPrefix(digits) { return true }
      if isDone, alarm.wire.done { return true }
      return states.contains(alarm.wire.state) || categories.contains(alarm.wire.category)
        || alarm.folded.utf8.contains(bytes)
    }
  }
}
