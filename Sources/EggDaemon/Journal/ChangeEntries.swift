import Alarms
import Dispatch
import EggStore
import EggTime
import LinuxIO
import Synchronization

/// Journals what clients changed, after the commit.
///
/// journald drops what one unit says beyond its limit, rings included (10 000 entries in 30 s by default,
/// RateLimitBurst= in journald.conf(5)), and a client makes 20 000 changes a second. So at most ``most``
/// entries are written in ``seconds``. Changes beyond that are counted and told when that time is over, in one
/// entry for each kind and client.
final class ChangeEntries: Sendable {
  private let journal: Journal
  private let clock: any Clock & DelayedCalls
  private let state = Mutex(State())
  /// Calls at the end of a period; nothing blocks on it.
  private let queue = DispatchQueue(label: "change entries")

  fileprivate static let most = 600
  fileprivate static let seconds = 10
  /// Clients choose their names: of so many kinds and clients each is counted for itself.
  fileprivate static let mostSums = 64

  fileprivate struct State {
    /// When the period began, µs on CLOCK_MONOTONIC.
    var since = Int64.min
    /// Entries in this period.
    var told = 0
    var untold: [Sum: Int64] = [:]
  }

  fileprivate struct Sum: Hashable {
    var kind: ChangeKind?
    var client: String?
  }

  init(journal: Journal, clock: any Clock & DelayedCalls) {
    self.journal = journal
    self.clock = clock
  }

  /// Journals the changes of one commit. Any thread; only notes them.
  func made(_ changes: [MadeChange]) {
    let now = clock.read()
    let (told, isFirstUntold) = state.withLock { $0.take(changes, at: now.monotonic) }
    if !told.isEmpty {
      let wall = WallClock(now: now)
      journal.write { zone in told.flatMap { $0.records(zone, wall) } }
    }
    if isFirstUntold { clock.call(after: Self.seconds, on: queue) { self.tellRest() } }
  }

  func tellRest() {
    let sums = state.withLock { state in
      defer { state.untold = [:] }
      return state.untold
    }
    guard !sums.isEmpty else { return }
    let changes = sums.map { sum, count in
      MadeChange(
        kind: sum.kind, client: ChangeClient(name: sum.client, session: nil), count: count, numbers: [])
    }
    journal.write { _ in changes.map(\.sum) }
  }
}

extension ChangeEntries.State {
  /// - Returns: The changes to journal, and whether others were left out for the first time.
  fileprivate mutating func take(_ changes: [MadeChange], at now: Int64) -> ([MadeChange], Bool) {
    if since == .min || now - since >= Int64(ChangeEntries.seconds) * 1_000_000 {
      since = now
      told = 0
    }
    let isFirst = untold.isEmpty
    var taken: [MadeChange] = []
    for change in changes {
      if told < ChangeEntries.most {
        told += change.alarms?.count ?? 1
        taken.append(change)
      } else {
        var sum = ChangeEntries.Sum(kind: change.kind, client: change.client.name)
        if untold[sum] == nil, untold.count >= ChangeEntries.mostSums { sum.client = nil }
        untold[sum, default: 0] += max(change.count, 1)
      }
    }
    return (taken, isFirst && !untold.isEmpty)
  }
}
