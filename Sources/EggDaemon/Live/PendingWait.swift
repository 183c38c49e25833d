import Alarms
import EggProtocol
import EggStore
import Varlink

/// One call of Wait and what has become of its alarms. On the wire's queue, as its owner is.
final class PendingWait {
  let call: ServerCall
  let asked: WaitCall
  /// Its alarms; none until they were read for the first time.
  private(set) var numbers: Set<Int64> = []
  /// Those of which neither a ring nor the deletion was seen; nil until then.
  private(set) var remaining: Set<Int64>?
  private var rang: [Int64] = []
  private var deleted: [Int64] = []
  /// Of the remaining ones, those that will not ring as things are.
  private var unable: [Int64: Alarm.Phase] = [:]
  private var sequence: Int64 = 0
  private var toldCount: Int?

  init(_ call: ServerCall, asked: WaitCall) {
    self.call = call
    self.asked = asked
  }

  /// Those it is to read: by number once they are known.
  var names: (numbers: [Int64], ids: [AlarmID]) {
    if let remaining { return (remaining.sorted(), []) }
    return (Array(Set(asked.numbers ?? [])), Array(Set(asked.ids ?? [])))
  }

  /// Takes the alarms as they were read, then what changed since that was begun.
  func take(_ found: AwaitedAlarms, then commits: [CommittedChanges]) {
    sequence = max(sequence, found.sequence)
    if remaining == nil {
      numbers = Set(found.alarms.map(\.number))
      remaining = numbers
    }
    for number in found.missing { wasDeleted(number) }
    for alarm in found.alarms {
      let isEnough = [.ringing, .rung].contains(alarm.phase) || found.rangSince.contains(alarm.number)
      if isEnough { hasRung(alarm.number) } else { waits(for: alarm) }
    }
    for changes in commits where changes.sequence > found.sequence { take(changes) }
  }

  /// Takes what a commit did to its alarms, of which the list may hold others too.
  func take(_ changes: CommittedChanges) {
    sequence = max(sequence, changes.sequence)
    for (old, new) in changes.alarms ?? [] {
      guard let new else {
        if let old { wasDeleted(old.number) }
        continue
      }
      // To be over is not enough here: it may have been marked done in a later life than the one it rang in.
      if new.phase == .ringing || new.hasFired(after: old) { hasRung(new.number) } else { waits(for: new) }
    }
  }

  /// What is to be said now; nil where it goes on waiting in silence.
  enum Answer {
    case reply(WaitReply, isLast: Bool)
    case fail(ScheduleError)
  }

  /// After every reading and commit.
  func answer() -> Answer? {
    let remaining = remaining ?? []
    let reply = WaitReply(rang: rang, deleted: deleted, sequence: sequence)
    let count = rang.count + deleted.count
    let isFirstEnough = asked.any == true
    if isFirstEnough ? count > 0 : remaining.isEmpty { return .reply(reply, isLast: true) }
    if let number = unable.keys.min(), let phase = unable[number],
      !isFirstEnough || unable.count == remaining.count
    {
      return .fail(.wrongState(number: number, state: phase))
    }
    guard call.wantsMore, toldCount != count else { return nil }
    toldCount = count
    return .reply(reply, isLast: false)
  }

  private func waits(for alarm: Alarm) {
    guard remaining?.contains(alarm.number) == true else { return }
    unable[alarm.number] = alarm.mayRing ? nil : alarm.phase
  }

  private func hasRung(_ number: Int64) {
    if settle(number) { rang.append(number) }
  }

  private func wasDeleted(_ number: Int64) {
    if settle(number) { deleted.append(number) }
  }

  private func settle(_ number: Int64) -> Bool {
    unable[number] = nil
    return remaining?.remove(number) != nil
  }
}

extension Alarm {
  /// Something is to come, or would be if it were resumed.
  fileprivate var mayRing: Bool { due != nil || latest?.due != nil || state == .paused }

  /// Whether it rang in the change that it came out of.
  fileprivate func hasFired(after old: Alarm?) -> Bool {
    guard let old, let latest, latest.outcome == .rung, let fired = latest.firedAt else { return false }
    guard let before = old.latest?.firedAt else { return true }
    return fired > before
  }
}
