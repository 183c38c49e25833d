import EggTime
import GRDB

/// A zone change that alarms are following: which of them are still to come.
struct ZoneMove {
  /// What the alarms are resolved by: the digest of each zone that changed, and of the machine's own.
  var target: Target
  /// The machine's zone as it was; nil where none is known.
  var oldZone: String?
  /// Still to be looked at, the first of them from after `last` on.
  var groups: [ZoneGroup]
  var last = Int64.min
  var movedFloating = 0
  var movedNamed = 0
  /// Subscribers have not heard of all that was moved.
  var isUntold = false

  struct Target: Equatable {
    /// nil where the machine's zone did not change.
    var local: Known?
    var named: [String: String] = [:]

    var isEmpty: Bool { local == nil && named.isEmpty }
  }

  /// A zone and its digest.
  struct Known: Equatable {
    var name: String
    var digest: String
  }

  /// What one transaction does.
  enum Step {
    /// Alarms that may be due within ``reach``, all at once.
    case near
    /// The next ``batch`` of all.
    case batch
    /// Every alarm has followed: the zones' digests are stored.
    case end
  }

  mutating func count(_ moved: MovedAlarms) {
    movedFloating += moved.floating.count
    movedNamed += moved.named.count
  }

  /// How many rows one transaction looks at: so few that the scheduler hears of each alone.
  static let batch = StoreTransaction.fewAlarms
  /// No zone change moves a moment by more than the clocks of two places can differ.
  static let reach = TimeSpan.seconds(26 * 3_600)
}

/// What the database says of zones: which are in use, and by which data their alarms were resolved.
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

  /// What has to be resolved anew; nil where nothing has.
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
