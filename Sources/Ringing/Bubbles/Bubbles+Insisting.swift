import Alarms
import EggTime

/// Alarms that repeat bubble and sound until they are answered, for ``Limits/insistTime``.
extension Bubbles {
  /// When the next repetition is due, on the wall clock; nil for none.
  package var nextRepetition: Instant? { bubbles.values.compactMap(\.repeatsAt).min() }

  /// An alarm of that bubble insists, or no longer.
  mutating func insist(on key: Int, as span: TimeSpan?, from moment: Instant) {
    if let span {
      change(key) { $0.repeatsAt = min($0.repeatsAt ?? moment + span, moment + span) }
    } else if bubbles[key]?.members.only != nil {
      change(key) { $0.repeatsAt = nil }
    }
  }

  /// Repeats what is due. `now` may be far from what was planned, if the clock was set meanwhile.
  mutating func insistAgain(_ now: Instant, _ effects: inout [BubbleEffect]) {
    let due = keys { $0.repeatsAt.map { $0 <= now || $0 - now > Limits.insist.upperBound } == true }
    for key in due {
      guard let bubble = bubbles[key] else { continue }
      let members = bubble.members.values.filter { $0.notice.insists(at: now) }
      guard let span = members.compactMap(\.notice.card.insist).min() else {
        change(key) { $0.repeatsAt = nil }
        continue
      }
      change(key) { bubble in
        bubble.repeatsAt = now + span
        bubble.makesSound = true
        bubble.isStale = true
        if bubble.id == nil { bubble.chance = .due }
      }
      effects.append(.sound(members.map(\.notice).sorted { $0.dueAt < $1.dueAt }))
    }
  }
}

extension Notice {
  /// Within the time after its ring. A clock that was set back makes that no longer.
  fileprivate func insists(at now: Instant) -> Bool {
    card.insist != nil && now - ring.firedAt < Limits.insistTime
  }
}
