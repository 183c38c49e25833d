import Alarms
import EggProtocol
import EggTime
import ICalendar

/// What was answered to rings, here and on other machines.
extension SyncPlanner {
  typealias Ring = SyncState.Ring

  /// Carries answers over, after everything else: compares each ring with what its file says of answers, if one of
  /// them is another than the last time.
  mutating func takeAnswers(_ known: [SyncState.Entry]) throws {
    let known = Dictionary(known.map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    for place in plan.entries.indices {
      let entry = plan.entries[place]
      guard let id = entry.id, let alarm = alarms[id], let ring = alarm.ring, !plan.deleted.contains(id)
      else {
        continue
      }
      let past = known[entry.file]
      var mine = ring
      mine.noticedAt = past?.ring?.noticedAt
      let isKnown = mine == past?.ring
      if !isKnown { mine.noticedAt = reader.context.now }
      let isSame = past?.stamp != nil && past?.stamp == files[entry.file]
      if isKnown, isSame, !plan.writes.contains(where: { $0.file == entry.file }) { continue }
      try takeAnswer(place, id, alarm, mine)
    }
  }

  private mutating func takeAnswer(_ place: Int, _ id: AlarmID, _ alarm: WireAlarm, _ ring: Ring) throws {
    let file = plan.entries[place].file
    let pending = plan.writes.firstIndex { $0.file == file }
    let bytes = try pending.map { plan.writes[$0].bytes } ?? folder.read(file)
    guard let bytes, let item = try? reader.item(bytes) else { return }
    plan.entries[place].ring = ring
    let now = reader.context.now
    switch item.answers {
    case .unclear: return
    case .last(let there) where there.at > now:
      // The clock of the other machine is ahead: it is looked at again.
      plan.entries[place].stamp = nil
      return
    case .last(let there) where there.at >= ring.due.wholeSecond:
      switch ring.later(there, at: now) {
      case .same: return
      case .there: return plan.answers.append(SyncPlan.Answer(id: id, until: there.snoozedUntil))
      case .here: break
      }
    default: break
    }
    guard !reader.scope.isReadOnly, let at = ring.answeredAt else { return }
    let answer = CalendarAnswer(at: at, snoozedUntil: ring.snoozedUntil)
    let answered = item.bytes(answered: answer, of: alarm.recurringTime.flatMap { _ in alarm.latestMoment })
    if let pending {
      plan.writes[pending].bytes = answered
    } else {
      plan.writes.append(SyncPlan.Write(file: file, bytes: answered, replaced: files[file]))
    }
  }
}

extension SyncState {
  /// The last ring of an alarm, and what was answered to it.
  struct Ring: Codable, Equatable {
    var due: Instant
    var dismissedAt: Instant?
    var snoozedUntil: Instant?
    /// When synchronising first saw it so.
    var noticedAt: Instant?

    /// nil while it rings. When it was snoozed, eggd does not say.
    var answeredAt: Instant? { dismissedAt ?? snoozedUntil.flatMap { _ in noticedAt } }

    enum Later { case here, there, same }

    /// Where the later answer was given, of two that are not before the ring. Of two in the same second a dismissal
    /// is the later: what is dismissed cannot be snoozed.
    func later(_ there: CalendarAnswer, at now: Instant) -> Later {
      guard let answeredAt else { return there.snoozedUntil.map { $0 <= now } ?? false ? .same : .there }
      guard let end = there.snoozedUntil else {
        return dismissedAt != nil ? .same : there.at >= answeredAt.wholeSecond ? .there : .here
      }
      if let snoozedUntil, snoozedUntil.isNear(end) { return .same }
      // A ring that was answered here cannot be snoozed again.
      return there.at > answeredAt ? .same : .here
    }
  }
}

extension WireAlarm {
  /// nil before the first ring.
  fileprivate var ring: SyncState.Ring? {
    guard let latest, latest.outcome == .rung, let firedAt = latest.firedAt else { return nil }
    return SyncState.Ring(
      due: firedAt - (latest.lateness ?? .zero), dismissedAt: latest.dismissedAt,
      snoozedUntil: latest.snoozedUntil)
  }
}

extension Instant {
  /// Calendars have no parts of a second.
  fileprivate var wholeSecond: Instant { Instant(microseconds: microseconds / 1_000_000 * 1_000_000) }
}
