/// How many alarms a step of a change of many takes on: as many as take some milliseconds on this machine, so that nobody
/// waits long for a step. While nobody else changes anything, steps are longer, since each has a cost of its own.
struct Pace {
  private(set) var count = Self.first
  /// Steps since others have changed something.
  private var alone = 0
  /// For tests.
  private var isFixed = false

  private static let first = 64
  private static let bounds = 16...4_096
  /// In µs.
  private static let (short, long): (Int64, Int64) = (5_000, 20_000)
  /// Steps after which nobody else seems to be there.
  private static let quiet = 64

  init() {}

  init(fixed count: Int) { (self.count, isFixed) = (count, true) }

  /// - Parameter span: In µs.
  mutating func stepTook(_ span: Int64) {
    guard !isFixed else { return }
    alone += 1
    let wanted = alone > Self.quiet ? Self.long : Self.short
    if span > wanted {
      resize(by: max(Double(wanted) / Double(span), 0.25))
    } else if span < wanted / 2 {
      resize(by: 1.5)
    }
  }

  /// What follows may take longer or shorter.
  mutating func begin() {
    guard !isFixed else { return }
    count = Self.first
  }

  mutating func othersChanged() {
    guard !isFixed else { return }
    if alone > Self.quiet { resize(by: Double(Self.short) / Double(Self.long)) }
    alone = 0
  }

  private mutating func resize(by factor: Double) {
    count = min(max(Int(Double(count) * factor), Self.bounds.lowerBound), Self.bounds.upperBound)
  }
}
