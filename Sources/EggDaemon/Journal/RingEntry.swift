import Alarms
import EggTime

/// A ring, or an alarm missed, as the journal keeps it.
package struct RingEntry: Sendable {
  package var number: Int64
  package var card: AlarmCard
  package var dueAt: Instant
  package var lateness: TimeSpan
  package var reason: LateReason?
  /// How many elapses of a recurring alarm it stands for.
  package var elapsed: Int64

  /// All fields.
  package init(
    number: Int64, card: AlarmCard, dueAt: Instant, lateness: TimeSpan, reason: LateReason?,
    elapsed: Int64 = 1
  ) {
    self.elapsed = elapsed
    self.number = number
    self.card = card
    self.dueAt = dueAt
    self.lateness = lateness
    self.reason = reason
  }
}

extension AlarmCard {
  /// Said where the alarm has no summary of its own.
  package static let defaultSummary = "Wait!"
  /// Said where the alarm has no body of its own.
  package static let defaultBody = "Your eggs are almost done!"

  /// The notification's first line.
  package var shownSummary: String { summary ?? Self.defaultSummary }
  /// The body without label and late lines.
  package var shownBody: String { body ?? Self.defaultBody }
}

extension RingEntry {
  /// The entry of a ring; times in µs since the epoch, UTC.
  package var record: JournalRecord {
    JournalRecord(.rang, .notice, "\(card.shownSummary) \(card.shownBody)", fields)
  }

  /// The entry of an alarm that came too late to ring.
  package var missedRecord: JournalRecord {
    JournalRecord(.missed, .notice, "Missed an alarm: \(card.shownSummary) \(card.shownBody)", fields)
  }

  private var fields: [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = [
      ("EGG_ALARM_ID", card.id.description),
      ("EGG_ALARM_NUMBER", String(number)),
      ("EGG_SUMMARY", card.shownSummary),
      ("EGG_BODY", card.shownBody),
      ("EGG_DUE_AT", String(dueAt.microseconds)),
      ("EGG_LATENESS_US", String(lateness.microseconds)),
    ]
    if let label = card.label { fields.append(("EGG_LABEL", label)) }
    if let reason { fields.append(("EGG_LATE_REASON", reason.rawValue)) }
    if elapsed > 1 { fields.append(("EGG_MISSED_COUNT", String(elapsed))) }
    return fields
  }
}
