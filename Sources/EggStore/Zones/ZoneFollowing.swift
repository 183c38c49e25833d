import Alarms
import Dispatch
import EggTime
import GRDB
import Ringing

/// Follows changes of the machine's zone and of zone data.
///
/// Alarms that may be due within ``ZoneMove/reach`` follow in one transaction, at the start before the first
/// head is read. The rest follow in batches, with commands served between them. The first transaction empties
/// the digests in the tables `schedule` and `zone`, the last one writes them. If eggd ends in between, the
/// next start begins again; resolving an alarm twice changes nothing. While the disk takes no writes, alarms
/// ring at their old moments.
extension AlarmStore {
  /// Compares the zones with those by which alarms were resolved, now and at each change. Any thread; once,
  /// after `start`, before the scheduler asks for the head.
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

  /// Checks for changed zones, once for several calls: a tzdata update writes hundreds of files. On the
  /// store's queue.
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
      follow(move, move.groups.isEmpty ? .end : .near)
    } catch {
      retryMove()
    }
  }

  /// Submits the next change of a move to the common commit.
  private func follow(_ move: ZoneMove, _ step: ZoneMove.Step) {
    let request = ChangeRequest(FollowZoneChange(move: move, step: step), readAt: clock.read())
    pending.changes.append(
      Batch.Submitted(request: request) { [self] result in
        // The zones changed again in the meantime.
        guard zoneMove?.target == move.target else { return }
        guard case .success(let outcome) = result, let moved = outcome.zoneMove else { return retryMove() }
        zoneMove = moved
        queue.async { self.goOn(after: step) }
      })
    commit()
  }

  private func goOn(after step: ZoneMove.Step) {
    guard !isClosed, opened?.isReadOnly == false, let move = zoneMove else { return }
    if step == .end {
      finish(move)
    } else {
      follow(move, move.groups.isEmpty ? .end : .batch)
    }
  }

  private func finish(_ move: ZoneMove) {
    zoneMove = nil
    zoneRetry.succeeded()
    tell(move)
    // Entries of the head may hold the old moments.
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
    // A zone that was unknown before did not change.
    if !zones.isEmpty, moved > 0 { log(.zoneDataChanged(Set(zones).sorted(), moved: moved)) }
    if move.isUntold { changes?(CommittedChanges(sequence: sequence, alarms: nil)) }
  }

  /// Restarts a failed move after 1, 2, 4 … 60 s.
  private func retryMove() {
    zoneMove = nil
    guard !isClosed, let seconds = zoneRetry.arm() else { return }
    clock.call(after: seconds, on: queue) {
      self.zoneRetry.fired()
      self.checkZones()
    }
  }
}
