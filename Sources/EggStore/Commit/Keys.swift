import Alarms
import EggTime
import GRDB

/// The alarm with an idempotency key and the request that created it.
package struct KeyHolder: Sendable {
  package var alarm: Alarm
  package var request: String?
}

struct KeyRow {
  var number: Int64
  private var isOver: Bool
  private var overAt: Instant?
  var request: String?

  /// How long after its alarm is over a key still answers with it. Also counts before that moment, because
  /// the clock may have been set back.
  private static let grace = TimeSpan.seconds(600)

  static func find(_ key: String, in database: Database) throws -> KeyRow? {
    let statement = try database.cachedStatement(
      sql: "SELECT number, state = 'over', overAt, keyedRequest FROM alarm WHERE key = ?")
    return try statement.first([key]) { row in
      KeyRow(
        number: int(row, 0) ?? 0, isOver: int(row, 1) == 1,
        overAt: int(row, 2).map { Instant(microseconds: $0) }, request: text(row, 3))
    }
  }

  func isLive(at now: Instant) -> Bool {
    guard isOver, let overAt else { return !isOver }
    return max(now - overAt, overAt - now) < Self.grace
  }
}
