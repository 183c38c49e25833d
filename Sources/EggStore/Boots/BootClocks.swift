import Alarms
import EggTime

/// How far the wall clock is from the clocks of the boots that the database knows.
struct BootClocks: Sendable {
  /// The clock of this boot.
  let current: ClockID
  /// Wall clock minus clock in µs, of each earlier boot: fixed for good.
  private(set) var earlier: [ClockID: Int64] = [:]

  /// Of a boot with that clock, with no earlier one known.
  init(current: ClockID) { self.current = current }

  /// The clock of the boot with that id: the same row of `boot` in every database, known without one.
  static func clock(ofBoot bootID: String) -> ClockID {
    // FNV-1a; six bytes of it keep the keys short and can't meet by chance.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bootID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return ClockID(rawValue: Int64(hash >> 16 | 1))
  }

  /// Takes note of earlier boots. What was known before stays known: a ring that is yet to be recorded may
  /// name a boot whose rows are gone.
  mutating func learn(_ offsets: [ClockID: Int64]) {
    for (clock, offset) in offsets where clock != current && clock != .wall { earlier[clock] = offset }
  }

  /// What is added to a point of that clock to have it on the wall clock.
  func offset(of clock: ClockID, now: ClockReading) -> Int64 {
    clock == .wall ? 0 : earlier[clock] ?? now.bootOffset
  }

  /// The same point, on the wall clock if it is one of an earlier boot.
  func present(_ due: DuePoint) -> DuePoint {
    guard let offset = earlier[due.clock] else { return due }
    return .wall(Instant(microseconds: due.microseconds) + TimeSpan(microseconds: offset))
  }
}
