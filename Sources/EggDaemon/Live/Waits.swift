import Dispatch
import EggProtocol
import EggStore
import Varlink

/// All Wait calls. Checks each commit and answers the calls that it concerns; until then a wait is only an
/// entry here.
///
/// Confined to the wire's queue, hence safe to capture in closures that return to it.
final class Waits: @unchecked Sendable {
  private let queue: DispatchQueue
  private let reads: ReadTurns
  /// By a key that is never reused.
  private(set) var waits: [UInt64: PendingWait] = [:]
  /// Waits whose alarms are being read, or will be.
  private var reading: Set<UInt64> = []
  private var nextKey: UInt64 = 0

  private static let alarmsLimit = 1_000

  private static let bytesPerAlarm = 256

  init(queue: DispatchQueue, reads: ReadTurns) {
    self.queue = queue
    self.reads = reads
  }

  /// Answers a call when its alarms have rung or been deleted.
  func wait(_ call: ServerCall) throws(CallFailure) {
    dispatchPrecondition(condition: .onQueue(queue))
    let asked: WaitCall = try call.parameters()
    let count = (asked.numbers ?? []).count + (asked.ids ?? []).count
    guard (1...Self.alarmsLimit).contains(count) else { throw .invalidParameter("numbers") }
    guard !call.isOneway else { return call.reply(NoParameters()) }
    let key = nextKey
    nextKey += 1
    // Registered before the alarms are read, so that no later commit is missed.
    waits[key] = PendingWait(call, asked: asked)
    call.awaitEvent()
    call.keep(bytes: Self.bytesPerAlarm * count)
    call.onClose { [weak self] in self?.end(key) }
    read(key)
  }

  func committed(_ changes: CommittedChanges) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !waits.isEmpty else { return }
    for key in reading { waits[key]?.keep(changes) }
    guard changes.alarms != nil else {
      // Any alarm may have changed.
      for key in waits.keys { read(key) }
      return
    }
    for (key, wait) in waits where !reading.contains(key) {
      wait.take(changes)
      if wait.answer() { end(key) }
    }
  }

  private func read(_ key: UInt64) {
    guard let wait = waits[key], reading.insert(key).inserted else { return }
    let (numbers, ids) = wait.names
    reads.read(
      for: wait.call, begun: wait.beginRead,
      { [since = wait.asked.since] in try $0.awaited(numbers: numbers, ids: ids, since: since) }
    ) { [self] in took($0, for: key) }
  }

  private func took(_ result: Result<AwaitedAlarms, ChangeError>, for key: UInt64) {
    guard let wait = waits[key] else { return }
    reading.remove(key)
    guard let commits = wait.kept else { return read(key) }
    let isFirst = wait.remaining == nil
    switch result {
    case .success(let found):
      if isFirst, !found.missing.isEmpty || !found.missingIDs.isEmpty {
        return fail(key, wait, .noSuchAlarm(numbers: found.missing.sorted(), ids: found.missingIDs))
      }
      wait.take(found, then: commits)
      if wait.answer() { end(key) }
    case .failure(.unavailable(let reason)) where isFirst:
      fail(key, wait, .storeUnavailable(reason: reason))
    case .failure:
      // Everything is read again when the database is readable.
      break
    }
  }

  private func fail(_ key: UInt64, _ wait: PendingWait, _ error: ScheduleError) {
    end(key)
    wait.call.fail(error.failure)
  }

  private func end(_ key: UInt64) {
    reading.remove(key)
    waits[key] = nil
  }
}
