import Alarms
import EggProtocol
import EggStore
import Varlink

/// A Wait call and the state of its alarms. Confined to the wire's queue.
final class PendingWait {
  let call: ServerCall
  let asked: WaitCall
  /// The alarms that neither rang nor were deleted; nil until first read.
  private(set) var remaining: Set<Int64>?
  private var rang: [Int64] = []
  private var deleted: [Int64] = []
  /// The remaining alarms that will not ring as they are.
  private var unable: [Int64: Alarm.Phase] = [:]
  private var sequence: Int64 = 0
  private var toldCount: Int?
  /// Commits since the read in progress began, which may not contain them; nil if not all are known.
  private(set) var kept: [CommittedChanges]? = []

  /// With more alarms in them, the wait's alarms are read again.
  private static let mostKept = 1_000

  init(_ call: ServerCall, asked: WaitCall) {
    self.call = call
    self.asked = asked
  }

  /// The alarms to read: by number once known.
  var names: (numbers: [Int64], ids: [AlarmID]) {
    if let remaining { return (remaining.sorted(), []) }
    return (Array(Set(asked.numbers ?? [])), Array(Set(asked.ids ?? [])))
  }

  func beginRead() { kept = [] }

  func keep(_ changes: CommittedChanges) {
    guard let alarms = changes.alarms, let earlier = kept,
      earlier.reduce(alarms.count, { $0 + ($1.alarms?.count ?? 0) }) <= Self.mostKept
    else { return kept = nil }
    kept?.append(changes)
  }

  /// Takes a read, then the commits since it began.
  func take(_ found: AwaitedAlarms, then commits: [CommittedChanges]) {
    sequence = max(sequence, found.sequence)
    if remaining == nil { remaining = Set(found.alarms.map(\.number)) }
    for number in found.missing { noteDeletion(number) }
    for alarm in found.alarms {
      let hasRung = [.ringing, .rung].contains(alarm.phase) || found.rangSince.contains(alarm.number)
      if hasRung, !alarm.waitsForMoment { noteRing(alarm.number) } else { noteChange(of: alarm) }
    }
    for changes in commits where changes.sequence > found.sequence { take(changes) }
  }

  /// Takes a commit, which may contain other alarms too.
  func take(_ changes: CommittedChanges) {
    sequence = max(sequence, changes.sequence)
    for (old, new) in changes.alarms ?? [] {
      guard let new else {
        if let old { noteDeletion(old.number) }
        continue
      }
      // Being over is not enough: the alarm may have rung, been rescheduled, then been marked done.
      let hasRung = new.phase == .ringing || new.hasFired(after: old)
      if hasRung, !new.waitsForMoment { noteRing(new.number) } else { noteChange(of: new) }
    }
  }

  /// Answers what there is to answer. Called after every read and commit.
  ///
  /// - Returns: Whether it was the last answer.
  func answer() -> Bool {
    let remaining = remaining ?? []
    let reply = WaitReply(rang: rang, deleted: deleted, sequence: sequence)
    let count = rang.count + deleted.count
    let isFirstEnough = asked.any == true
    if isFirstEnough ? count > 0 : remaining.isEmpty {
      call.reply(reply)
      return true
    }
    if let number = unable.keys.min(), let phase = unable[number],
      !isFirstEnough || unable.count == remaining.count
    {
      call.fail(ScheduleError.wrongState(number: number, state: phase).failure)
      return true
    }
    if call.wantsMore, toldCount != count {
      toldCount = count
      call.reply(reply, continues: true)
    }
    return false
  }

  private func noteChange(of alarm: Alarm) {
    guard remaining?.contains(alarm.number) == true else { return }
    unable[alarm.number] = alarm.mayRing ? nil : alarm.phase
  }

  private func noteRing(_ number: Int64) {
    if settle(number) { rang.append(number) }
  }

  private func noteDeletion(_ number: Int64) {
    if settle(number) { deleted.append(number) }
  }

  private func settle(_ number: Int64) -> Bool {
    unable[number] = nil
    return remaining?.remove(number) != nil
  }
}

extension Alarm {
  /// It has a next moment, or would have after a resume.
  fileprivate var mayRing: Bool { due != nil || latest?.due != nil || state == .paused }

  /// A one-shot that has rung has more of its leads, or its moment, to come.
  fileprivate var waitsForMoment: Bool { timing.kind != .every && due != nil }

  /// Whether it rang in this change.
  fileprivate func hasFired(after old: Alarm?) -> Bool {
    guard let old, let latest, latest.outcome == .rung, let fired = latest.firedAt else { return false }
    guard let before = old.latest?.firedAt else { return true }
    return fired > before
  }
}
