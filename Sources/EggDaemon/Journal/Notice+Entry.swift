import Alarms
import EggTime
import Ringing

/// A ring or a missed alarm as a journal entry.
extension Notice {
  private var text: String {
    card.summary == nil && card.body == nil ? Self.defaultText : "\(card.shownSummary) \(card.shownBody)"
  }
  private static let defaultText = "\(AlarmCard.defaultSummary) \(AlarmCard.defaultBody)"

  /// The entry of a ring; times in µs since the epoch, UTC.
  package var record: JournalRecord {
    var record = JournalRecord(.rang, .notice, text)
    add(to: &record)
    return record
  }

  /// The entry of an alarm that came too late to ring.
  package var missedRecord: JournalRecord {
    var record = JournalRecord(.missed, .notice, "Missed an alarm: \(text)")
    add(to: &record)
    return record
  }

  /// ``record``, as it is sent.
  func write(to message: inout NativeMessage) {
    message.begin(.rang, .notice, text)
    add(to: &message)
  }

  private func add(to entry: inout some JournalFields) {
    entry.add("EGG_ALARM_ID", card.id)
    entry.add("EGG_ALARM_NUMBER", number)
    entry.add("EGG_SUMMARY", card.shownSummary)
    entry.add("EGG_BODY", card.shownBody)
    entry.add("EGG_DUE_AT", dueAt.microseconds)
    entry.add("EGG_LATENESS_US", lateness.microseconds)
    if let label = card.shownLabel { entry.add("EGG_LABEL", label) }
    if let reason { entry.add("EGG_LATE_REASON", reason.rawValue) }
    if elapsed > 1 { entry.add("EGG_MISSED_COUNT", elapsed) }
  }
}
