import Alarms
import EggTime
import GRDB
import Ringing

/// The alarms that float and were resolved in a zone, or the alarms that name it.
struct ZoneGroup: Hashable {
  /// A column: 0 or 1, but another program may write any number.
  var floats: Int64
  var name: String

  /// The groups with waiting alarms, found by skipping through the index, at most `limit`; and the zones of snoozes.
  static func inUse(_ database: Database, limit: Int = 2_000) throws -> [ZoneGroup] {
    let next = try database.cachedStatement(
      sql: """
        SELECT floats, zone FROM alarm
        WHERE zone IS NOT NULL AND due IS NOT NULL AND (floats, zone) > (?, ?)
        ORDER BY floats, zone LIMIT 1
        """)
    var groups: [ZoneGroup] = []
    var last: StatementArguments = [Int64.min, ""]
    while groups.count < limit, let row = try Row.fetchOne(next, arguments: last) {
      guard let floats = int(row, 0), let name = text(row, 1) else { break }
      groups.append(ZoneGroup(floats: floats, name: name))
      last = [floats, name]
    }
    let snoozed = try String.fetchAll(
      database, sql: "SELECT DISTINCT zone FROM occurrence WHERE due IS NOT NULL AND zone IS NOT NULL")
    return groups + snoozed.map { ZoneGroup(floats: 0, name: $0) }.filter { !groups.contains($0) }
  }
}

/// Alarms that got another moment.
struct MovedAlarms: Sequence {
  /// Those in the machine's zone.
  var floating: [Int64] = []
  /// Those in a zone of their own.
  var named: [Int64] = []

  var isEmpty: Bool { floating.isEmpty && named.isEmpty }

  func makeIterator() -> some IteratorProtocol<Int64> { (floating + named).makeIterator() }
}

/// Resolves moments by the zone data that eggd holds now.
struct ZoneResolver {
  let tables: Tables
  private var zones: ZonesInUse { tables.zones }

  /// Resolves a civil time by the zone data that eggd holds now, which is the data of the digest in the table
  /// `zone`. So a request that was read just before a zone change does not miss it.
  func settled(
    _ timing: Timing, due: DuePoint, from: Instant? = nil, at now: Instant
  ) throws -> (Timing, DuePoint) {
    switch timing {
    case .civil(let civil, let name, let floats):
      guard let (zone, name) = try settledZone(name, floats) else { break }
      return (.civil(civil, zone: name, floats: floats), .wall(zone.resolve(civil).instant))
    case .every(let time, let name, let floats):
      guard let (zone, name) = try settledZone(name, floats) else { break }
      let next = Recurrence(.every(time), zone: zone, from: from).next(after: now)
      return (.every(time, zone: name, floats: floats), next.map { .wall($0.ring) } ?? due)
    case .countdown, .instant: break
    }
    return (timing, due)
  }

  private func settledZone(_ name: String, _ floats: Bool) throws -> (Zone, name: String)? {
    guard let zone = zones.zone(name, floats: floats) else { return nil }
    if !floats { try note(name) }
    return (zone, floats ? zone.identifier : name)
  }

  /// Alarms in that zone are now resolved by its present data. Older ones may have been resolved by earlier
  /// data.
  func note(_ name: String) throws {
    guard let zone = zones.zone(name, floats: false) else { return }
    try tables.database.run(
      """
      INSERT INTO zone (name, digest) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET digest = excluded.digest WHERE ? AND digest <> excluded.digest
      """, [name, zone.digest, zones.isNew(name)])
  }

  /// Resolves alarms by the present data of their zones. They must be held; those that have rung are left alone.
  ///
  /// - Parameter keepsElapses: An alarm in the same zone keeps its moment if that is one of its rings.
  func resolve(_ numbers: [Int64], at now: Instant, keepsElapses: Bool = false) throws -> MovedAlarms {
    var moved = MovedAlarms()
    for number in numbers {
      let row = try tables.database.row(Self.select + " AND a.clock = 0 AND a.due IS NOT NULL", [number])
      guard let row, let old = row.int(.due), let known = row.text(.zone) else { continue }
      let floats = row.int(.floats) != 0
      guard let zone = zones.zone(known, floats: floats) else { continue }
      let name = floats ? zone.identifier : known
      let moment =
        self.moment(row, in: zone, at: now, keepsElapses: keepsElapses && name == known)
        ?? Recurrence.Moment(ring: Instant(microseconds: old), ahead: RecurrenceRows.ahead(row))
      let new = moment.ring
      guard new.microseconds != old || name != known else { continue }
      // It was late before, for another reason.
      let isPast = new <= now && old > now.microseconds
      try tables.database.run(
        "UPDATE alarm SET zone = ?, due = ?, ahead = ?, zoneDue = ? WHERE number = ?",
        [
          name, new.microseconds, RecurrenceRows.column(moment.ahead), isPast ? new.microseconds : nil,
          number,
        ])
      guard new.microseconds != old else { continue }
      if floats { moved.floating.append(number) } else { moved.named.append(number) }
    }
    return moved
  }

  /// Resolves the ends of snoozes until a time of day, of alarms that are held.
  func resolveSnoozes(_ numbers: [Int64], at now: Instant) throws -> MovedAlarms {
    var moved = MovedAlarms()
    let rows = try tables.database.allRows(
      """
      SELECT id, alarm, due, civil, zone FROM occurrence
      WHERE due IS NOT NULL AND civil IS NOT NULL AND alarm IN (SELECT value FROM json_each(?)) ORDER BY id
      """, [numbers.jsonList])
    for row in rows {
      let name = text(row, 4)
      guard let number = int(row, 1), let old = int(row, 2),
        let civil = text(row, 3).flatMap({ CivilDateTime($0) }), let zone = zone(ofSnooze: name)
      else { continue }
      let new = zone.resolve(civil).instant
      guard new.microseconds != old else { continue }
      let isPast = new <= now && old > now.microseconds
      try tables.database.run(
        "UPDATE occurrence SET due = ?1, snoozedUntil = ?1, zoneDue = ?2 WHERE id = ?3",
        [new.microseconds, isPast ? new.microseconds : nil, int(row, 0)])
      if name == nil { moved.floating.append(number) } else { moved.named.append(number) }
    }
    return moved
  }

  /// The civil time of the new end of a snooze; nil if it did not last until one.
  func snoozeTiming(_ id: Int64, movedTo end: Instant) throws -> Timing? {
    let row = try tables.database.row(
      "SELECT zone FROM occurrence WHERE id = ? AND civil IS NOT NULL", [id])
    guard let row, let zone = zone(ofSnooze: text(row, 0)) else { return nil }
    return .civil(zone.civil(at: end), zone: zone.identifier, floats: text(row, 0) == nil)
  }

  /// - Parameter name: nil for the machine's.
  func zone(ofSnooze name: String?) -> Zone? { zones.zone(name ?? "", floats: name == nil) }

  /// nil for unreadable rows, and for a recurring time without further elapses in that zone. Both keep their
  /// moments.
  private func moment(_ row: some ColumnReading, in zone: Zone, at now: Instant, keepsElapses: Bool)
    -> Recurrence.Moment?
  {
    if let time = zones.time(row) {
      guard let recurrence = RecurrenceRows.recurrence(row, zones: zones, time: time, zone: zone),
        let next = recurrence.next(after: base(row, at: now))
      else { return nil }
      // The clock was set back since: the old moment is earlier and also an elapse here.
      if let due = row.instant(.due), due < next.ring || keepsElapses, let old = recurrence.ring(at: due) {
        return old
      }
      return next
    }
    guard let civil = row.text(.civil).flatMap({ CivilDateTime($0) }) else { return nil }
    let moment = zone.resolve(civil).instant
    let rules = RecurrenceRows.rules(row)
    guard let recurrence = RecurrenceRows.once(moment, rules, zone) else {
      return Recurrence.Moment(ring: moment)
    }
    if keepsElapses, let due = row.instant(.due), let old = recurrence.ring(at: due) { return old }
    // Where the moment lies before its last lead, it rings now.
    return recurrence.next(after: base(row, at: now))
      ?? (rules.leads.contains(.zero) ? Recurrence.Moment(ring: moment) : nil)
  }

  /// An alarm beside its last elapse.
  static let select = """
    SELECT \(AlarmColumn.list(of: "a")), \(OccurrenceColumn.list(of: "o")), \(OccurrenceTable.overBy)
    FROM alarm a LEFT JOIN occurrence o ON o.id = \(OccurrenceTable.lastElapse(of: "a.number")) WHERE a.number = ?
    """

  /// The last elapse, see ``base(_:at:)``; nil for no such alarm.
  func base(of number: Int64, at now: Instant) throws -> Instant? {
    try tables.database.cachedStatement(sql: Self.select).first([number]) { base($0, at: now) }
  }

  /// The next elapse must come after this: the latest of creation, change, elapse, ring, and detection as
  /// missed. An elapse more than a day ahead belongs to a wrong clock, unless it was skipped, or is a lead of a one-shot:
  /// no other comes for it. For an alarm that has not elapsed since its clock was set right: now, unless its elapse is
  /// past.
  private func base(_ row: some ColumnReading, at now: Instant) -> Instant {
    let elapse = AlarmColumn.width
    if row.int(.wrongUntil) != nil, row.int(.id, from: elapse) == nil {
      return min(now, row.instant(.due).map { $0 - TimeSpan(microseconds: 1) } ?? now)
    }
    // What passed during a pause has a lateness.
    let isSkipped =
      row.text(.outcome, from: elapse) == Occurrence.Outcome.skipped.rawValue
      && row.int(.lateness, from: elapse) == nil
    let overBy = int(row, elapse + OccurrenceColumn.width)
    let skipped = isSkipped ? overBy : nil
    let moments = [
      row.int(.createdAt), row.int(.modifiedAt), isSkipped ? nil : overBy, row.int(.firedAt, from: elapse),
    ]
    let last = moments.compactMap { $0 }.max() ?? now.microseconds
    let isWrong =
      last > (now + .seconds(86_400)).microseconds && row.text(.kind) == Timing.Kind.every.rawValue
    let base = isWrong ? now.microseconds : last
    return Instant(microseconds: max(base, skipped ?? base))
  }
}

extension Recurrence {
  /// nil if it does not ring then.
  fileprivate func ring(at due: Instant) -> Moment? {
    next(after: due - TimeSpan(microseconds: 1)).flatMap { $0.ring == due ? $0 : nil }
  }
}
