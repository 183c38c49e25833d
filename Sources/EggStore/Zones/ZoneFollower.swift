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
/// Confined to the store's queue.
final class ZoneFollower: @unchecked Sendable {
  private let file: StoreFile
  private let context: StoreContext
  private var zones: ZonesInUse { context.zones }
  private let commit: Commit
  private let readHead: () -> Void
  private var isFollowing = false
  private var isCheckDue = false
  private var watch: ZoneWatch?
  private var move: ZoneMove?
  private var retry = RetryDelay()

  typealias Commit =
    (ChangeRequest, _ completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void) -> Void

  /// - Parameters:
  ///   - commit: Makes a change with the next commit, at once.
  ///   - readHead: Called when alarms have other moments.
  init(
    _ file: StoreFile, _ context: StoreContext, commit: @escaping Commit, readHead: @escaping () -> Void
  ) {
    self.file = file
    self.context = context
    self.commit = commit
    self.readHead = readHead
  }

  /// Whether a check or a move is under way.
  var isBusy: Bool { isCheckDue || move != nil }

  /// Compares the zones with those by which alarms were resolved, now and at each change.
  func start() {
    isFollowing = true
    zones.machine.follow { [weak self] in
      guard let self else { return }
      context.queue.async { self.checkSoon() }
    }
    watch = ZoneWatch(queue: context.queue) { [weak self] in self?.checkSoon() }
    check(isFirst: true)
  }

  /// Checks only when told.
  func stopWatching() { watch = nil }

  /// Checks for changed zones, once for several calls: a tzdata update writes hundreds of files.
  func checkSoon() {
    dispatchPrecondition(condition: .onQueue(context.queue))
    guard isFollowing, !isCheckDue, !file.isClosed else { return }
    isCheckDue = true
    context.queue.async {
      self.isCheckDue = false
      self.check()
    }
  }

  func check(isFirst: Bool = false) {
    dispatchPrecondition(condition: .onQueue(context.queue))
    guard isFollowing, file.opened != nil else { return }
    do {
      let known = try file.read { try KnownZones($0) }
      var failures = [zones.readLocal(known: isFirst ? known.local?.name : nil)].compactMap { $0 }
      failures += zones.read(Set(known.inUse.filter { $0.floats == 0 }.map(\.name)))
      for failure in failures {
        context.log(.zoneUnusable(failure.zone, reason: failure.reason.reason))
      }
      if watch?.follow(zones.paths) == true { checkSoon() }
      guard file.isWritable else { return }
      guard var new = known.move(to: zones), new.target != move?.target else { return }
      new.movedFloating = move?.movedFloating ?? 0
      new.movedNamed = move?.movedNamed ?? 0
      move = new
      follow(new, new.groups.isEmpty ? .end : .near)
    } catch {
      retryMove()
    }
  }

  /// Makes the next change of a move.
  private func follow(_ move: ZoneMove, _ step: ZoneMove.Step) {
    let request = ChangeRequest(FollowZoneChange(move: move, step: step), readAt: context.clock.read())
    commit(request) { [self] result in
      // The zones changed again in the meantime.
      guard self.move?.target == move.target else { return }
      guard case .success(let outcome) = result, let moved = outcome.zoneMove else { return retryMove() }
      self.move = moved
      context.queue.async { self.goOn(after: step) }
    }
  }

  private func goOn(after step: ZoneMove.Step) {
    guard file.isWritable, let move else { return }
    if step == .end {
      finish(move)
    } else {
      follow(move, move.groups.isEmpty ? .end : .batch)
    }
  }

  private func finish(_ move: ZoneMove) {
    self.move = nil
    retry.succeeded()
    tell(move)
    // Entries of the head may hold the old moments.
    readHead()
  }

  private func tell(_ move: ZoneMove) {
    var zones = move.target.named.keys.sorted()
    var moved = move.movedNamed
    if let local = move.target.local {
      if let old = move.oldZone, old != local.name {
        context.log(.zoneChanged(from: old, to: local.name, moved: move.movedFloating))
      } else {
        zones.append(local.name)
        moved += move.movedFloating
      }
    }
    // A zone that was unknown before did not change.
    if !zones.isEmpty, moved > 0 { context.log(.zoneDataChanged(Set(zones).sorted(), moved: moved)) }
    if move.isUntold { context.listeners.tellAll(context.state.sequence) }
  }

  /// Restarts a failed move after 1, 2, 4 … 60 s.
  private func retryMove() {
    move = nil
    guard !file.isClosed, let seconds = retry.arm() else { return }
    context.clock.call(after: seconds, on: context.queue) {
      self.retry.fired()
      self.check()
    }
  }
}
