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
      follow(move, move.groups.isEmpty ? .end : .near)
    } catch {
      retryMove()
    }
  }

  /// Makes the next change of a move, through the commit that all changes share.
  private func follow(_ move: ZoneMove, _ step: ZoneMove.Step) {
    let request = ChangeRequest(FollowZoneChange(move: move, step: step), readAt: clock.read())
    pending.changes.append(
      Batch.Submitted(request: request) { [self] result in
        // Another change of zones came in between.
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

  /// All alarms have followed.
  private func finish(_ move: ZoneMove) {
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
