import Alarms
import Dispatch
import EggProtocol
import EggStore
import EggTime
import Varlink

/// All subscriptions. Encodes each commit once and sends it to every subscriber.
///
/// Confined to the wire's queue, hence safe to capture in closures that return to it.
final class ChangeFeed: @unchecked Sendable {
  let queue: DispatchQueue
  let store: AlarmStore
  let reads: ReadTurns
  private let clock: any Clock
  /// By a key that is never reused.
  private(set) var subscriptions: [UInt64: Subscription] = [:]
  /// The groups are being read.
  private var readsGroups = false
  /// The groups changed since that read began.
  private var groupsChanged = false
  private var nextKey: UInt64 = 0

  init(queue: DispatchQueue, store: AlarmStore, clock: any Clock, reads: ReadTurns) {
    self.queue = queue
    self.store = store
    self.reads = reads
    self.clock = clock
  }

  /// Answers a call with `more` until its connection ends or its client is too slow.
  func subscribe(_ call: ServerCall) throws(CallFailure) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard call.wantsMore else { throw .expectedMore }
    let asked: SubscribeCall = try call.parameters()
    let key = nextKey
    nextKey += 1
    let subscription = Subscription(call, pages: asked.pages ?? true, feed: self) { [weak self] in
      self?.subscriptions[key] = nil
    }
    // Registered before the list is read, so that no later commit is missed.
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

  /// Has all subscribers read the list again.
  func startOver() {
    dispatchPrecondition(condition: .onQueue(queue))
    for subscription in subscriptions.values { subscription.startOver() }
  }

  /// Sends the present groups to all. One read at a time, so that no older state follows a newer one.
  private func tellGroups() {
    groupsChanged = true
    guard !readsGroups else { return }
    readsGroups = true
    groupsChanged = false
    store.ask({ try $0.groups(named: nil) }) { [self] result in
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
    func wire(_ alarm: Alarm?) -> WireAlarm? { alarm.map { WireAlarm($0, wallOf: wallOf.callAsFunction) } }
    let reply = SubscribeReply(part: .change, sequence: sequence, old: wire(old), new: wire(new))
    return (try? JSON.bytes(reply)) ?? []
  }
}

/// A commit, encoded for subscribers.
struct ToldChange {
  let sequence: Int64
  let messages: [[UInt8]]
}
