import Alarms
import EggProtocol

extension WireSelection {
  /// Takes the words that name alarms (`12`, `#12`, `3-7`, a UUID) from the front; the others are left.
  /// Throws where such a word names what no alarm can be.
  static func read(
    _ words: [String], all: Bool = false
  ) throws -> (selection: WireSelection, rest: [String]) {
    var selection = WireSelection(all: all)
    for (index, word) in words.enumerated() {
      guard try selection.take(word) else { return (selection, Array(words[index...])) }
    }
    return (selection, [])
  }

  /// The selection of a verb that takes nothing else; `--all` and names exclude each other.
  static func only(_ words: [String], all: Bool = false, verb: String) throws -> WireSelection {
    let (selection, rest) = try read(words, all: all)
    if let word = rest.first {
      throw Failure(
        .usage, "'\(word.visible)' names no alarm",
        hint: "alarms are named by number (12), range (3-7) or UUID; eggctl list shows them")
    }
    try selection.check(verb: verb)
    return selection
  }

  /// Exactly one of names and `--all`.
  func check(verb: String) throws {
    let isNamed = !(numbers.isEmpty && ids.isEmpty && ranges.isEmpty)
    if all, isNamed { throw Failure(.usage, "--all and single alarms exclude each other") }
    if !all, !isNamed {
      throw Failure(.usage, "which alarm?", hint: "eggctl \(verb) NUMBER, as eggctl list shows it")
    }
  }

  private mutating func take(_ word: String) throws -> Bool {
    if let id = AlarmID(word) {
      ids.append(id)
      return true
    }
    let digits = word.hasPrefix("#") ? word.dropFirst() : word[...]
    let parts = digits.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ $0.isDecimal }) else { return false }
    let values = parts.compactMap { Int64($0) }
    guard values.count == parts.count, values.allSatisfy({ $0 > 0 }) else {
      throw Failure(.usage, "'\(word)' is no alarm's number: they count up from 1")
    }
    guard values.count == 2 else {
      numbers.append(values[0])
      return true
    }
    guard values[0] <= values[1] else {
      throw Failure(.usage, "'\(word)' runs backwards", hint: "\(parts[1])-\(parts[0])")
    }
    ranges.append(NumberRange(first: values[0], last: values[1]))
    return true
  }
}

extension Substring {
  fileprivate var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension [Int64] {
  /// `#3, #5-8, #12`: numbers as people read them, runs of three or more joined.
  var numberList: String {
    var parts: [String] = []
    var start = startIndex
    while start < endIndex {
      var end = start
      while end + 1 < endIndex, self[end + 1] == self[end] + 1 { end += 1 }
      if end - start >= 2 {
        parts.append("#\(self[start])-\(self[end])")
      } else {
        parts += self[start...end].map { "#\($0)" }
      }
      start = end + 1
    }
    return parts.joined(separator: ", ")
  }
}
