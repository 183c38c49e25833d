import Alarms
import EggTime
import GRDB
import Ringing

/// Alarms of one zone: those that float and were resolved in it, or those that it was typed for.
struct ZoneGroup: Hashable {
  /// The column, 0 or 1; another program may have written any number.
  var floats: Int64
  var name: String

  /// Those with something to come, found by skipping through the index; at most `limit`.
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
    return groups
  }
}

/// Alarms that ring at another moment than before, by a zone.
struct MovedAlarms: Sequence {
  /// By the machine's zone.
  var floating: [Int64] = []
  /// By a zone of their own.
  var named: [Int64] = []

  var isEmpty: Bool { floating.isEmpty && named.isEmpty }

  func makeIterator() -> some IteratorProtocol<Int64> { (floating + named).makeIterator() }
}

extension StoreTransaction {
  /// A civil time is on the clock of a zone: its moment by the data that this eggd has of it, which is that of the
  /// digest in the table `zone`. A change that was read a moment before a zone change is thereby none that misses it.
  func settled(
    _ timing: Timing, due: DuePoint, from: Instant? = nil, at now: Instant
  ) throws -> (Timing, DuePoint) {
    let (name, floats): (String, Bool)
    switch timing {
    case .civil(_, let zone, let follows), .every(_, let zone, let follows): (name, floats) = (zone, follows)
    case .countdown, .instant: return (timing, due)
    }
    guard let zone = zones.zone(name, floats: floats) else { return (timing, due) }
    if !floats { try noteZone(name) }
    let settledName = floats ? zone.identifier : name
    switch timing {
    case .civil(let civil, _, _):
      return (.civil(civil, zone: settledName, floats: floats), .wall(zone.resolve(civil).instant))
    case .every(let time, _, _):
      let next = Recurrence(time: time, zone: zone, from: from).next(after: now)
      return (.every(time, zone: settledName, floats: floats), next.map { .wall($0) } ?? due)
    case .countdown, .instant: return (timing, due)
    }
  }

  /// Alarms of that zone are resolved by its present data from now on; others that wait may have been by what it was.
  func noteZone(_ name: String) throws {
    guard let zone = zones.zone(name, floats: false) else { return }
    let note = try database.cachedStatement(
      sql: """
        INSERT INTO zone (name, digest) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET digest = excluded.digest WHERE ? AND digest <> excluded.digest
        """)
    try note.run([name, zone.digest, zones.isNew(name)])
  }

  /// Gives alarms the moments that their zones now give them. None of them rings before this transaction is over,
  /// and one that has rung by then is left alone.
  ///
  /// - Parameter keepsElapses: A recurring alarm of the same zone keeps what it waits for, if that is an elapse.
  func resolveAnew(
    _ numbers: [Int64], at now: Instant, keepsElapses: Bool = false
  ) throws -> MovedAlarms {
    var moved = MovedAlarms()
    guard !numbers.isEmpty else { return moved }
    try hold(NumberSet(numbers))
    let select = try database.cachedStatement(
      sql: """
        SELECT \(AlarmColumn.list(of: "a")), \(OccurrenceColumn.list(of: "o")), \(Self.overBy)
        FROM alarm a LEFT JOIN occurrence o ON o.id = \(Self.lastElapse(of: "a.number"))
        WHERE a.number = ? AND a.clock = 0 AND a.due IS NOT NULL
        """)
    let update = try database.cachedStatement(
      sql: "UPDATE alarm SET zone = ?, due = ?, zoneDue = ? WHERE number = ?")
    for number in numbers {
      guard let row = try Row.fetchOne(select, arguments: [number]), let old = row.int(.due),
        let name = row.text(.zone)
      else { continue }
      let floats = row.int(.floats) != 0
      guard let zone = zones.zone(name, floats: floats) else { continue }
      let newName = floats ? zone.identifier : name
      let new = moment(row, in: zone, at: now, keepsElapses: keepsElapses && newName == name)
      guard let new else { continue }
      guard new.microseconds != old || newName != name else { continue }
      // One that was late already is late for another reason.
      let isPast = new <= now && old > now.microseconds
      try update.execute(arguments: [newName, new.microseconds, isPast ? new.microseconds : nil, number])
      guard new.microseconds != old else { continue }
      if floats { moved.floating.append(number) } else { moved.named.append(number) }
    }
    return moved
  }

  /// The moment by which all that occurrence `o` stands for was over. Where several were passed over in a pause it is its
  /// key, the moment at which that was noted.
  static let overBy = """
    max(o.dueAt + coalesce(o.lateness, 0), iif(o.outcome = 'skipped' AND o.missedCount > 1, o.id, 0))
    """

  /// The key of the last occurrence of an alarm; what was skipped of another timing than it has by now is none.
  static func lastElapse(of number: String) -> String {
    """
    (SELECT id FROM occurrence WHERE alarm = \(number) AND (outcome <> 'skipped' OR id > (
        SELECT coalesce(max(id), 0) FROM occurrence
        WHERE alarm = \(number) AND outcome = 'skipped' AND dismissedAt IS NOT NULL))
      ORDER BY id DESC LIMIT 1)
    """
  }

  /// nil for what can't be read, and for a recurring time that has no elapse to come in that zone: both keep the
  /// moment that they have.
  private func moment(_ row: Row, in zone: Zone, at now: Instant, keepsElapses: Bool) -> Instant? {
    if let time = zones.time(event: row.text(.calendarEvent), interval: row.text(.interval)) {
      let from = row.instant(.beginsAt)
      let recurrence = Recurrence(time: time, zone: zone, from: from)
      let next = recurrence.next(after: base(row, at: now))
      let until = row.int(.until) ?? .max
      guard let next, next.microseconds <= until else { return nil }
      // The clock was set back since: what it waits for comes sooner, and is an elapse here too.
      if let due = row.instant(.due), due < next || keepsElapses,
        recurrence.next(after: due - TimeSpan(microseconds: 1)) == due
      {
        return due
      }
      return next
    }
    guard let civil = row.text(.civil).flatMap({ CivilDateTime($0) }) else { return nil }
    return zone.resolve(civil).instant
  }

  /// What the next elapse has to come after: whatever came last of being made or changed, an elapse, and its ring or
  /// when it was found to be missed. An elapse more than a day ahead came while the clock stood wrong, but for one that
  /// was skipped.
  private func base(_ row: Row, at now: Instant) -> Instant {
    let elapse = AlarmColumn.width
    let isSkipped = row.text(.outcome, from: elapse) == Occurrence.Outcome.skipped.rawValue
    let overBy = int(row, elapse + OccurrenceColumn.width)
    let skipped = isSkipped ? overBy : nil
    let moments = [
      row.int(.createdAt), row.int(.modifiedAt), isSkipped ? nil : overBy, row.int(.firedAt, from: elapse),
    ]
    let last = moments.compactMap { $0 }.max() ?? now.microseconds
    let base = last > (now + .seconds(86_400)).microseconds ? now.microseconds : last
    return Instant(microseconds: max(base, skipped ?? base))
  }
}
