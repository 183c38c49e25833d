import EggTime
import GRDB

/// A zone change that alarms are following, and which alarms are left.
struct ZoneMove {
  /// The digests by which alarms are resolved: of each changed zone and of the machine's.
  var target: Target
  /// The machine's previous zone; nil if unknown.
  var oldZone: String?
  /// The groups left; the first one from after `last` on.
  var groups: [ZoneGroup]
  var last = Int64.min
  var movedFloating = 0
  var movedNamed = 0
  /// Subscribers do not know of all moves yet.
  var isUntold = false

  struct Target: Equatable {
    /// nil where the machine's zone did not change.
    var local: Known?
    var named: [String: String] = [:]

    var isEmpty: Bool { local == nil && named.isEmpty }
  }

  struct Known: Equatable {
    var name: String
    var digest: String
  }

  /// The work of one transaction.
  enum Step {
    /// Alarms that may be due within ``reach``, all at once.
    case near
    /// The next ``batch`` of all.
    case batch
    /// All alarms have followed: stores the digests.
    case end
  }

  mutating func count(_ moved: MovedAlarms) {
    movedFloating += moved.floating.count
    movedNamed += moved.named.count
  }

  /// Rows per transaction: few enough to tell the scheduler of each.
  static let batch = StoreTransaction.usualFew
  /// The largest difference between the clocks of two places: no zone change moves a moment further.
  static let reach = TimeSpan.seconds(26 * 3_600)
}

/// The zones in use and the digests in the database.
struct KnownZones {
  var local: ZoneMove.Known?
  var digests: [String: String] = [:]
  var inUse: [ZoneGroup]

  init(_ database: Database) throws {
    if let row = try Row.fetchOne(database, sql: "SELECT zone, zoneDigest FROM schedule"),
      let name = text(row, 0)
    {
      local = ZoneMove.Known(name: name, digest: text(row, 1) ?? "")
    }
    let rows = try Row.fetchCursor(database, sql: "SELECT name, digest FROM zone")
    while let row = try rows.next() {
      if let name = text(row, 0) { digests[name] = text(row, 1) ?? "" }
    }
    inUse = try ZoneGroup.inUse(database)
  }

  /// What has to be resolved again; nil for nothing.
  func move(to zones: ZonesInUse) -> ZoneMove? {
    var target = ZoneMove.Target()
    let now = ZoneMove.Known(name: zones.local.identifier, digest: zones.local.digest)
    let hasStray = inUse.contains { $0.floats != 0 && $0.name != now.name }
    if zones.isLocalGood, local != now || hasStray { target.local = now }
    for name in Set(inUse.filter { $0.floats == 0 }.map(\.name)) where zones.isGood(name) {
      guard let zone = zones.zone(name, floats: false), digests[name] != zone.digest else { continue }
      target.named[name] = zone.digest
    }
    guard !target.isEmpty else { return nil }
    let groups = inUse.filter { $0.floats != 0 ? target.local != nil : target.named[$0.name] != nil }
    return ZoneMove(target: target, oldZone: local?.name, groups: groups)
  }
}
