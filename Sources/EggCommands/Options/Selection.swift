import Alarms
import EggProtocol
import Gettext
import Varlink

extension WireSelection {
  /// Fields and elements that eggd accepts in a selection; the rest is for the call's other fields.
  private static let mostValues = ServerLimits.standard.valuesPerCall - 64

  /// Throws where eggd does not accept its size.
  func checkSize() throws {
    guard numbers.count + ids.count + 3 * ranges.count > Self.mostValues else { return }
    throw Failure(
      .usage, tr("too many for one change: \(Counted.alarms(Int64(numbers.count + ids.count)))"),
      hint: tr("xargs -n 1000 splits them into several changes; a range (3-7) can have any length"))
  }

  /// Reads leading words that name alarms (`12`, `#12`, `3-7`, a UUID), and returns the rest. Throws for a
  /// number that no alarm can have.
  static func read(
    _ words: [String], all: Bool = false
  ) throws -> (selection: WireSelection, rest: [String]) {
    var selection = WireSelection(all: all)
    for (index, word) in words.enumerated() {
      guard try selection.take(word) else { return (selection, Array(words[index...])) }
    }
    return (selection, [])
  }

  var isNamed: Bool { !(numbers.isEmpty && ids.isEmpty && ranges.isEmpty) }

  /// Throws unless either alarms or `--all` are given.
  func check(verb: String) throws {
    if all, isNamed { throw Failure(.usage, tr("--all and named alarms exclude each other")) }
    if !all, !isNamed {
      throw Failure(.usage, tr("which alarm?"), hint: tr("eggctl \(verb) NUMBER, as eggctl list shows it"))
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
      throw Failure(.usage, tr("'\(word)' is too large for an alarm number"), hint: "eggctl list")
    }
    guard values.allSatisfy({ $0 > 0 }) else {
      throw Failure.noNumber(word)
    }
    guard values.count == 2 else {
      numbers.append(values[0])
      return true
    }
    guard values[0] <= values[1] else {
      throw Failure(.usage, tr("'\(word)' runs backwards"), hint: "\(parts[1])-\(parts[0])")
    }
    ranges.append(NumberRange(first: values[0], last: values[1]))
    return true
  }
}

extension Failure {
  static func noNumber(_ word: String) -> Failure {
    Failure(.usage, tr("'\(word)' is not an alarm number: numbers begin at 1"))
  }

  /// The failure of a word that names none: refused as an unknown number is, if it can be a label.
  static func noAlarm(_ word: String, takesRanges: Bool = true) -> Failure {
    let isLabel = word.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
    return Failure(
      isLabel ? .refused : .usage, tr("'\(word.visible)' is not an alarm"),
      hint: takesRanges
        ? tr("give a number (12), a range (3-7), a label or a UUID; eggctl list shows the alarms")
        : tr("give a number (12), a label or a UUID; eggctl list shows the alarms"))
  }
}

extension Substring {
  fileprivate var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension [Int64] {
  /// `#3, #5-8, #12`: three or more consecutive numbers are joined.
  var numberList: String {
    var runs: [ClosedRange<Int64>] = []
    for number in self {
      if let last = runs.last, last.upperBound < number, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.flatMap { run in
      run.count > 2 ? ["#\(run.lowerBound)-\(run.upperBound)"] : run.map { "#\($0)" }
    }.joined(separator: ", ")
  }
}
