import Alarms
import EggTime

/// The wall clock's offsets from the clocks of the boots in the database.
struct BootClocks: Sendable {
  let current: ClockID
  /// Wall clock minus boot clock in µs, for each earlier boot. Final.
  private(set) var earlier: [ClockID: Int64] = [:]

  init(current: ClockID) { self.current = current }

  /// The clock of the boot with that ID: the same in every database, and known without one.
  static func clock(ofBoot bootID: String) -> ClockID {
    // FNV-1a. Six bytes keep the keys short; a collision by chance is out of the question.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bootID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return ClockID(rawValue: Int64(hash >> 16 | 1))
  }

  /// Adds earlier boots. Known ones stay: an unrecorded ring may name a boot whose rows are gone.
  mutating func learn(_ offsets: [ClockID: Int64]) {
    for (clock, offset) in offsets where clock != current && clock != .wall { earlier[clock] = offset }
  }

  /// Added to a point of that clock, gives the wall clock.
  func offset(of clock: ClockID, now: ClockReading) -> Int64 {
    clock == .wall ? 0 : earlier[clock] ?? now.bootOffset
  }

  /// The same point; on the wall clock if its clock is an earlier boot's.
  func present(_ due: DuePoint) -> DuePoint {
    guard let offset = earlier[due.clock] else { return due }
    return .wall(Instant(microseconds: due.microseconds) + TimeSpan(microseconds: offset))
  }
}
