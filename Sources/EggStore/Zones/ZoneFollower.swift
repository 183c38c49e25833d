import Dispatch
import GRDB

/// Follows changes of the machine's zone and of zone data: each is one change, at the start before the first head is read.
/// While the disk takes no writes, alarms ring at their old moments. Confined to the store's queue.
final class ZoneFollower: @unchecked Sendable {
  private let file: StoreFile
  private let context: StoreContext
  private var zones: ZonesInUse { context.zones }
  private let commit: Commit
  private var isFollowing = false
  private var isCheckDue = false
  private var watch: ZoneWatch?
  /// Alarms are about to follow.
  private var isMoving = false
  private var retry = RetryDelay()

  typealias Commit =
    (ChangeRequest, _ completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void) -> Void

  /// - Parameter commit: Makes a change with the next commit, at once.
  init(_ file: StoreFile, _ context: StoreContext, commit: @escaping Commit) {
    self.file = file
    self.context = context
    self.commit = commit
  }

  /// Whether a check or a move is under way.
  var isBusy: Bool { isCheckDue || isMoving }

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
      if !isMoving, known.move(to: zones) != nil { follow() }
    } catch {
      retryMove()
    }
  }

  private func follow() {
    isMoving = true
    commit(ChangeRequest(FollowZonesChange(), readAt: context.clock.read())) { [self] result in
      isMoving = false
      guard case .success(let outcome) = result else { return retryMove() }
      retry.succeeded()
      if let move = outcome.zoneMove { tell(move) }
    }
  }

  private func tell(_ move: ZoneMove) {
    var zones = move.named.keys.sorted()
    var moved = move.moved.named.count
    if let local = move.local {
      if let old = move.oldZone, old != local.name {
        context.log(.zoneChanged(from: old, to: local.name, moved: move.moved.floating.count))
      } else {
        zones.append(local.name)
        moved += move.moved.floating.count
      }
    }
    // A zone that was unknown before did not change.
    if !zones.isEmpty, moved > 0 { context.log(.zoneDataChanged(Set(zones).sorted(), moved: moved)) }
  }

  /// Restarts a failed move after 1, 2, 4 … 60 s.
  private func retryMove() {
    guard !file.isClosed, let seconds = retry.arm() else { return }
    context.clock.call(after: seconds, on: context.queue) {
      self.retry.fired()
      self.check()
    }
  }
}
