import EggTime
import Alarms
import Dispatch
import EggProtocol
import EggStore
import Varlink

/// All subscriptions: hands each commit to every one of them, as text that is made once.
///
/// Confined to the wire's queue, which is why it may be handed to the closures that come back to it.
final class ChangeFeed: @unchecked Sendable {
  let queue: DispatchQueue
  let store: AlarmStore
  let reads: ReadTurns
  private let clock: any Clock
  /// Wire queue; by a number that is never used again.
  private var subscriptions: [UInt64: Subscription] = [:]
  /// Wire queue; whether the groups are being read to be told.
  private var readsGroups = false
  /// Wire queue; whether they changed since that read began.
  private var groupsChanged = false
  /// Wire queue.
  private var nextKey: UInt64 = 0

  init(queue: DispatchQueue, store: AlarmStore, clock: any Clock, reads: ReadTurns) {
    self.queue = queue
    self.store = store
    self.reads = reads
    self.clock = clock
  }

  /// Clients that are told.
  var count: Int {
    dispatchPrecondition(condition: .onQueue(queue))
    return subscriptions.count
  }

  /// Answers a call that was made with `more`, until its connection ends or its client is too slow; with the list in
  /// `pages`, or without.
  func subscribe(_ call: ServerCall, pages: Bool) {
    dispatchPrecondition(condition: .onQueue(queue))
    let key = nextKey
    nextKey += 1
    let subscription = Subscription(call, pages: pages, feed: self) { [weak self] in
      self?.subscriptions[key] = nil
    }
    // Known before the list is read: no commit after that read is missed.
    subscriptions[key] = subscription
    call.onClose { [weak self] in self?.subscriptions[key] = nil }
    subscription.begin()
  }

  func committed(_ changes: CommittedChanges) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !subscriptions.isEmpty else { return }
    if changes.changesGroups { tellGroups() }
    guard let alarms = changes.alarms else {
      startOver()
      return
    }
    let wallOf = wallClock()
    let told = ToldChange(
      sequence: changes.sequence,
      messages: alarms.map { Self.message($0.old, $0.new, sequence: changes.sequence, wallOf: wallOf) })
    for subscription in subscriptions.values { subscription.committed(told) }
  }

  /// What was told is void: all read the list anew.
  func startOver() {
    dispatchPrecondition(condition: .onQueue(queue))
    for subscription in subscriptions.values { subscription.startOver() }
  }

  /// All are told the groups as they are. One read at a time, so that none is told an older state after a newer one.
  private func tellGroups() {
    groupsChanged = true
    guard !readsGroups else { return }
    (readsGroups, groupsChanged) = (true, false)
    store.groups(named: nil) { [self] result in
      queue.async { [self] in
        readsGroups = false
        switch result {
        case .success(let sums):
          let groups = sums.map(WireGroup.init)
          for subscription in subscriptions.values { subscription.changed(groups) }
        case .failure: startOver()
        }
        if groupsChanged { tellGroups() }
      }
    }
  }

  func wallClock() -> WallClock { WallClock(now: clock.read()) }

  private static func message(
    _ old: Alarm?, _ new: Alarm?, sequence: Int64, wallOf: WallClock
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("part", SubscribePart.change.rawValue)
      json.member("sequence", sequence)
      if let old {
        json.name("old")
        json.alarm(old, wallOf: wallOf.callAsFunction)
      }
      if let new {
        json.name("new")
        json.alarm(new, wallOf: wallOf.callAsFunction)
      }
    }
    return json.bytes
  }
}

/// A commit as subscribers are told of it.
struct ToldChange {
  let sequence: Int64
  /// One for each alarm.
  let messages: [[UInt8]]
}
