import Alarms
import Dispatch
import EggTime
import GRDB
import Ringing

/// Zones that change: the machine's is another one, or the data of one was updated.
///
/// Alarms whose moment could be due within ``ZoneMove/reach`` follow in one transaction, at the start before the
/// first head is read; the rest in batches, between which commands are served. The digests in the tables `schedule`
/// and `zone` are emptied by the first transaction and written by the last: an eggd that ended in between begins
/// anew, and resolving an alarm again changes nothing. While the disk takes no writes, alarms ring at the moments
/// that they have.
extension AlarmStore {
  /// Compares the zones with those that alarms were resolved in, now and whenever they change. Any thread; once, after
  /// `start`, before the scheduler asks for the head.
  package func followZones() {
    queue.async {
      self.followsZones = true
      self.zones.machine.follow { [weak self] in
        guard let self else { return }
        queue.async { self.checkZonesSoon() }
      }
      self.zoneWatch = ZoneWatch(queue: self.queue) { [weak self] in self?.checkZonesSoon() }
      self.checkZones(isFirst: true)
    }
  }

  /// Looks whether zones have changed. On the store's queue; several reasons to look are one: a tzdata update writes
  /// hundreds of files.
  package func checkZonesSoon() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard followsZones, !zoneCheckIsDue, !isClosed else { return }
    zoneCheckIsDue = true
    queue.async {
      self.zoneCheckIsDue = false
      self.checkZones()
    }
  }

  func checkZones(isFirst: Bool = false) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard followsZones, !isClosed, let opened else { return }
    do {
      let known = try opened.pool.writeWithoutTransaction { try KnownZones($0) }
      var failures = [zones.readLocal(known: isFirst ? known.local?.name : nil)].compactMap { $0 }
      failures += zones.read(Set(known.inUse.filter { $0.floats == 0 }.map(\.name)))
      for failure in failures { log(.zoneUnusable(failure.zone, reason: failure.reason.reason)) }
      if zoneWatch?.follow(zones.paths) == true { checkZonesSoon() }
      guard !opened.isReadOnly else { return }
      guard var move = known.move(to: zones), move.target != zoneMove?.target else { return }
      move.movedFloating = zoneMove?.movedFloating ?? 0
      move.movedNamed = zoneMove?.movedNamed ?? 0
      zoneMove = move
      if move.groups.isEmpty { finishMove(move) } else { moveNear(move) }
    } catch {
      retryMove()
    }
  }

  /// What is near in time follows first, all at once.
  private func moveNear(_ begun: ZoneMove) {
    var move = begun
    do {
      let now = clock.read()
      var refill: Refill?
      let transaction = try transaction { transaction in
        let database = transaction.database
        if move.target.local != nil { try database.execute(sql: "UPDATE schedule SET zoneDigest = ''") }
        for name in move.target.named.keys {
          try database.execute(
            sql: "INSERT INTO zone VALUES (?, '') ON CONFLICT DO UPDATE SET digest = ''", arguments: [name])
        }
        let moved = try transaction.resolveAnew(try near(move, now.wall, database), at: now.wall)
        move.movedFloating += moved.floating.count
        move.movedNamed += moved.named.count
        if moved.floating.count + moved.named.count > 0 { transaction.countStep() }
        refill = try Refill(database, clocks: clocks, zones: zones, now: now)
      }
      zoneMove = move
      if !transaction.recorded.isEmpty { observer?.deliver(.recorded(transaction.recorded, stored: true)) }
      if let refill { observer?.deliver(.refilled(refill)) }
      publish(transaction)
      queue.async { self.moveNextBatch() }
    } catch {
      retryMove()
    }
  }

  private func near(_ move: ZoneMove, _ now: Instant, _ database: Database) throws -> [Int64] {
    let groups = Set(move.groups)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT number, floats, zone FROM alarm
        WHERE clock = 0 AND due BETWEEN ? AND ? AND zone IS NOT NULL ORDER BY due
        """, arguments: [(now - ZoneMove.reach).microseconds, (now + ZoneMove.reach).microseconds])
    var numbers: [Int64] = []
    while let row = try rows.next() {
      guard let number = int(row, 0), let floats = int(row, 1), let name = text(row, 2) else { continue }
      if groups.contains(ZoneGroup(floats: floats, name: name)) { numbers.append(number) }
    }
    return numbers
  }

  private func moveNextBatch() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, opened?.isReadOnly == false, var move = zoneMove else { return }
    guard let group = move.groups.first else { return finishMove(move) }
    do {
      var moments: [AlarmMoments] = []
      let transaction = try transaction { transaction in
        let numbers = try Int64.fetchAll(
          try transaction.database.cachedStatement(
            sql: """
              SELECT number FROM alarm WHERE floats = ? AND zone = ? AND due IS NOT NULL AND number > ?
              ORDER BY number LIMIT ?
              """), arguments: [group.floats, group.name, move.last, ZoneMove.batch])
        let moved = try transaction.resolveAnew(numbers, at: clock.read().wall)
        move.movedFloating += moved.floating.count
        move.movedNamed += moved.named.count
        let all = transaction.log.touched.union(moved.floating).union(moved.named)
        moments = try all.sorted().map {
          try AlarmMoments($0, in: transaction.database, clocks: clocks, zones: zones)
        }
        if let last = numbers.last, numbers.count == ZoneMove.batch {
          move.last = last
        } else {
          move.groups.removeFirst()
          move.last = .min
        }
        if moved.floating.count + moved.named.count > 0 {
          transaction.countStep()
          move.isUntold = true
        }
      }
      zoneMove = move
      if !transaction.recorded.isEmpty { observer?.deliver(.recorded(transaction.recorded, stored: true)) }
      if !moments.isEmpty { observer?.deliver(.changed(moments)) }
      // The list is read anew once, after the last batch.
      publish(transaction, tellingAll: false)
      queue.async { self.moveNextBatch() }
    } catch {
      retryMove()
    }
  }

  /// All alarms have followed: from now on these digests are what they were resolved by.
  private func finishMove(_ move: ZoneMove) {
    do {
      _ = try transaction { transaction in
        let database = transaction.database
        if let local = move.target.local {
          try database.execute(
            sql: "UPDATE schedule SET zone = ?, zoneDigest = ?", arguments: [local.name, local.digest])
        }
        for (name, digest) in move.target.named {
          try database.execute(
            sql: "INSERT INTO zone VALUES (?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest",
            arguments: [name, digest])
        }
        let inUse = Set(try ZoneGroup.inUse(database).filter { $0.floats == 0 }.map(\.name))
        for name in try String.fetchAll(database, sql: "SELECT name FROM zone") where !inUse.contains(name) {
          try database.execute(sql: "DELETE FROM zone WHERE name = ?", arguments: [name])
        }
      }
    } catch {
      return retryMove()
    }
    zoneMove = nil
    zoneRetry.succeeded()
    tell(move)
    // Entries of the head may hold what their zones said before.
    readHead()
  }

  private func tell(_ move: ZoneMove) {
    var zones = move.target.named.keys.sorted()
    var moved = move.movedNamed
    if let local = move.target.local {
      if let old = move.oldZone, old != local.name {
        log(.zoneChanged(from: old, to: local.name, moved: move.movedFloating))
      } else {
        zones.append(local.name)
        moved += move.movedFloating
      }
    }
    // Zones that were not known before are no news.
    if !zones.isEmpty, moved > 0 { log(.zoneDataChanged(Set(zones).sorted(), moved: moved)) }
    if move.isUntold { changes?(CommittedChanges(sequence: sequence, alarms: nil)) }
  }

  private func transaction(_ body: (StoreTransaction) throws -> Void) throws -> StoreTransaction {
    var made: StoreTransaction?
    do {
      try inTransaction { database in
        let transaction = try StoreTransaction(
          database, clocks: clocks, zones: zones, observer: observer, newHold: { self.nextHold() })
        try body(transaction)
        _ = try transaction.finish()
        made = transaction
      }
    } catch {
      endOpenHolds()
      throw error
    }
    guard let made else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return made
  }

  private func publish(_ transaction: StoreTransaction, tellingAll: Bool = true) {
    let sequence = transaction.log.sequence
    shared.withLock { $0.sequence = sequence }
    openHolds = []
    for hold in transaction.holds { observer?.deliver(.holdEnded(hold)) }
    for change in transaction.log.changes where tellingAll || change.alarms != nil { changes?(change) }
  }

  /// What failed is tried again from its beginning, after 1, 2, 4 … 60 s.
  private func retryMove() {
    zoneMove = nil
    guard !isClosed, let seconds = zoneRetry.arm() else { return }
    clock.call(after: seconds, on: queue) {
      self.zoneRetry.fired()
      self.checkZones()
    }
  }
}
