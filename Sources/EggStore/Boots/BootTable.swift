import Alarms
import EggTime
import GRDB
import LinuxIO
import Ringing

/// The rows of boots: the wall clock's offset from the clock of each.
struct BootTable {
  let database: Database
  let current: ClockID
  let bootID: String

  /// Writes the row of this boot.
  ///
  /// - Returns: By how much the wall clock was set since the last row.
  @discardableResult
  func note(offset: Int64) throws -> TimeSpan {
    let known = try knownOffset()
    try database.run(
      """
      INSERT INTO boot (id, bootID, offset) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET offset = excluded.offset
      """, [current.rawValue, bootID, offset])
    return Instant(microseconds: offset) - Instant(microseconds: known ?? offset)
  }

  /// Writes the row of this boot, unless the clock was set since the last row: what waits has to follow that in the same
  /// transaction.
  ///
  /// - Returns: Whether what waits has to follow.
  func noteStart(_ now: ClockReading) throws -> Bool {
    if let known = try knownOffset(), abs(now.bootOffset - known) >= Interruptions.leastStep { return true }
    try note(offset: now.bootOffset)
    return try WrongClock.stood(after: WrongClock(now: now).latest, database)
  }

  private func knownOffset() throws -> Int64? {
    try database.first("SELECT offset FROM boot WHERE id = ?", [current.rawValue]) { int($0, 0) } ?? nil
  }

  func offsets() throws -> [ClockID: Int64] {
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, offset FROM boot WHERE id <> ?", arguments: [current.rawValue])
    return rows.reduce(into: [:]) { offsets, row in
      if let id = int(row, 0) { offsets[ClockID(rawValue: id)] = int(row, 1) }
    }
  }
}

/// The wall clock's offsets from the clocks of the boots in the database.
struct BootClocks: Sendable {
  let current: ClockID
  /// Wall clock minus boot clock in µs, for each earlier boot. Final.
  private(set) var earlier: [ClockID: Int64] = [:]

  init(current: ClockID) { self.current = current }

  /// The clock of the boot with that ID: the same in every database, and known without one.
  static func clock(ofBoot bootID: String) -> ClockID {
    // Six bytes keep the keys short; a collision by chance is out of the question.
    ClockID(rawValue: Int64(FNV1a.hash64(Array(bootID.utf8)) >> 16 | 1))
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

/// This boot's ID, random(4). Where /proc cannot be read it is made up, so that no countdown runs on another
/// boot's clock.
package func readBootID() -> String {
  let bytes = (try? SafeFile.read("/proc/sys/kernel/random/boot_id", upTo: 64)) ?? []
  let id = String(decoding: bytes, as: UTF8.self).filter { $0.isHexDigit || $0 == "-" }
  return id.utf8.count == 36 ? id : "unknown-\(UInt64.random(in: 0 ... .max))"
}
