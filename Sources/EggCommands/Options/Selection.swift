import Alarms
import EggProtocol
import Varlink

extension WireSelection {
  /// How many fields and elements eggd takes, without those of the call itself.
  private static let mostValues = ServerLimits.standard.valuesPerCall - 64

  /// Whether eggd takes it as it is.
  var isShort: Bool { values <= Self.mostValues }

  private var values: Int { numbers.count + ids.count + 3 * ranges.count }

  /// The same alarms, with numbers that follow each other as ranges: eggd does not tell what is missing of these. Throws
  /// where that is still too long.
  func folded() throws -> WireSelection {
    var folded = WireSelection(ids: ids, ranges: ranges, all: all)
    for run in Set(numbers).sorted().runs {
      if run.count > 3 {
        folded.ranges.append(NumberRange(first: run[run.startIndex], last: run[run.endIndex - 1]))
      } else {
        folded.numbers += run
      }
    }
    guard folded.isShort else {
      throw Failure(
        .usage, "these are too many for one change: \(counted(Int64(numbers.count + ids.count), "alarm"))",
        hint: "xargs -n 1000 makes several changes of them; of a range (3-7) there can be any number")
    }
    return folded
  }

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
    guard values.count == parts.count else {
      throw Failure(.usage, "'\(word)' is too large for an alarm's number", hint: "eggctl list")
    }
    guard values.allSatisfy({ $0 > 0 }) else {
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
    for run in runs {
      if run.count > 2 {
        parts.append("#\(run[run.startIndex])-\(run[run.endIndex - 1])")
      } else {
        parts += run.map { "#\($0)" }
      }
    }
    return parts.joined(separator: ", ")
  }

  /// Each number that is not one more than the one before begins another.
  fileprivate var runs: [ArraySlice<Int64>] {
    var runs: [ArraySlice<Int64>] = []
    var start = startIndex
    while start < endIndex {
      var end = start + 1
      while end < endIndex, self[end] == self[end - 1] &+ 1 { end += 1 }
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}
