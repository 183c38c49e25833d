import Alarms
import Dispatch
import EggProtocol
import EggStore
import Varlink

/// All calls of Wait: learns of each commit and answers those whose alarms it concerns. Until then a wait is an entry
/// here and nothing else.
///
/// Confined to the wire's queue, which is why it may be handed to the closures that come back to it.
final class Waits: @unchecked Sendable {
  private let queue: DispatchQueue
  private let store: AlarmStore
  private let reads: ReadTurns
  /// Wire queue; by a number that is never used again.
  private var waits: [UInt64: PendingWait] = [:]
  /// Wire queue; who waits for the alarm of that number.
  private var waiting: [Int64: Set<UInt64>] = [:]
  /// Wire queue; whose alarms are being read, or are to be.
  private var reading: Set<UInt64> = []
  /// Wire queue; what came while alarms are being read.
  private var kept = KeptCommits()
  /// Wire queue.
  private var nextKey: UInt64 = 0

  /// How many alarms one call may name.
  static let alarmsLimit = 1_000

  /// What each of them takes of memory.
  private static let bytesPerAlarm = 256

  init(queue: DispatchQueue, store: AlarmStore, reads: ReadTurns) {
    self.queue = queue
    self.store = store
    self.reads = reads
  }

  /// Calls without an answer yet.
  var count: Int {
    dispatchPrecondition(condition: .onQueue(queue))
    return waits.count
  }

  /// Answers a call when its alarms have rung or been deleted.
  func wait(_ call: ServerCall, _ asked: WaitCall) {
    dispatchPrecondition(condition: .onQueue(queue))
    let key = nextKey
    nextKey += 1
    // Known before the alarms are read: no commit after that read is missed.
    waits[key] = PendingWait(call, asked: asked)
    call.awaitEvent()
    call.keep(bytes: Self.bytesPerAlarm * ((asked.numbers ?? []).count + (asked.ids ?? []).count))
    call.onClose { [weak self] in self?.end(key) }
    read(key)
  }

  func committed(_ changes: CommittedChanges) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !waits.isEmpty else { return }
    kept.add(changes)
    guard let alarms = changes.alarms else {
      // Whatever it was, it may have been any of them.
      for key in waits.keys { read(key) }
      return
    }
    var concerned: Set<UInt64> = []
    for (old, new) in alarms {
      guard let number = (new ?? old)?.number, let keys = waiting[number] else { continue }
      concerned.formUnion(keys)
    }
    for key in concerned.subtracting(reading) {
      guard let wait = waits[key] else { continue }
      wait.take(changes)
      answer(key, wait)
    }
  }

  private func read(_ key: UInt64) {
    guard let wait = waits[key], reading.insert(key).inserted else { return }
    let (numbers, ids) = wait.names
    reads.take(for: wait.call) { [self, since = wait.asked.since] done in
      if waits[key] != nil { kept.begin(key) }
      store.awaited(numbers: numbers, ids: ids, since: since) { [self] result in
        queue.async { [self] in
          done()
          took(result, for: key)
        }
      }
    }
  }

  private func took(_ result: Result<AwaitedAlarms, ReadError>, for key: UInt64) {
    guard let wait = waits[key] else { return }
    reading.remove(key)
    guard let commits = kept.end(key) else { return read(key) }
    let isFirst = wait.remaining == nil
    switch result {
    case .success(let found):
      if isFirst, !found.missing.isEmpty || !found.missingIDs.isEmpty {
        return fail(key, wait, .noSuchAlarm(numbers: found.missing.sorted(), ids: found.missingIDs))
      }
      wait.take(found, then: commits)
      for number in wait.numbers { waiting[number, default: []].insert(key) }
      answer(key, wait)
    case .failure(.unavailable(let reason)) where isFirst:
      fail(key, wait, .storeUnavailable(reason: reason))
    case .failure:
      // When the database can be read again, everything is read anew.
      break
    }
  }

  private func answer(_ key: UInt64, _ wait: PendingWait) {
    switch wait.answer() {
    case .reply(let reply, isLast: false): wait.call.reply(reply, continues: true)
    case .reply(let reply, isLast: true):
      end(key)
      wait.call.reply(reply)
    case .fail(let error): fail(key, wait, error)
    case nil: break
    }
  }

  private func fail(_ key: UInt64, _ wait: PendingWait, _ error: ScheduleError) {
    end(key)
    wait.call.fail(error.failure)
  }

  private func end(_ key: UInt64) {
    reading.remove(key)
    kept.end(key)
    guard let wait = waits.removeValue(forKey: key) else { return }
    for number in wait.numbers {
      waiting[number]?.remove(key)
      if waiting[number]?.isEmpty == true { waiting[number] = nil }
    }
  }
}
