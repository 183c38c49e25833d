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
      if let digits, String(alarm.number).hasPrefix(digits) { return true }
      if isDone, alarm.done { return true }
      return states.contains(alarm.state) || categories.contains(alarm.category)
        || alarm.folded.utf8.contains(bytes)
    }
  }
}

extension String.UTF8View {
  /// Whether the text contains these bytes in sequence.
  fileprivate func contains(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    let found = withContiguousStorageIfAvailable { text in
      guard text.count >= bytes.count else { return false }
      for start in 0...(text.count - bytes.count) where text[start] == first {
        if text[start..<(start + bytes.count)].elementsEqual(bytes) { return true }
      }
      return false
    }
    return found ?? (Array(self).firstRange(of: bytes) != nil)
  }
}
