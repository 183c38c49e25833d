import EggTestSupport
import EggTime

/// All that is left to chance in one run, from its seed.
struct Dice {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<max(count, 1), using: &random) == 0 }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func bits() -> UInt64 { random.next() }

  mutating func one<Element>(of all: [Element]) -> Element? { all.randomElement(using: &random) }

  /// A span in milliseconds of that range, the shorter ones as likely as the longer ones.
  mutating func span(_ range: ClosedRange<Int64>) -> TimeSpan {
    let most = Int64.random(in: range, using: &random)
    return .milliseconds(Int64.random(in: range.lowerBound...most, using: &random))
  }
}
