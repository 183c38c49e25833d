import Alarms
import EggTime
import Gettext
import Ringing

/// A ring or a missed alarm as a journal entry.
extension Notice {
  /// Summary and body, and which alarm it is where it has a label.
  private var text: String {
    let words = "\(shownSummary) \(shownBody)"
    return card.shownLabel.map { "\(words) (\($0), #\(number))" } ?? words
  }

  /// `, 3 s late: eggd was not running`; empty if it is on time.
  private var late: String {
    Lateness.text(lateness, reason, words: { SpanText.left($0, in: .english) }, in: Phrase.english)
      .map { ", \($0)" } ?? ""
  }

  /// The entry of a ring; times in µs since the epoch, UTC.
  package var record: JournalRecord {
    var record = JournalRecord(.rang, .notice, text)
    addRing(to: &record)
    return record
  }

  /// ``record`` as a line alone, which has no field for lateness.
  var line: JournalRecord {
    var line = record
    line.message += late
    return line
  }

  /// The entry of an alarm that came too late to ring. Only the entries of rings have a summary: who searches
  /// for one finds what rang.
  package func missedRecord(in zone: Zone) -> JournalRecord {
    let name = ChangeWords.name(number, label: card.label)
    let due = MomentFormat.dotted.text(dueAt, in: zone)
    return record(.missed, "Missed \(name), due \(due)\(late)")
  }

  /// The entry of a ring that nobody has answered in time.
  package var unansweredRecord: JournalRecord {
    let name = ChangeWords.name(number, label: card.label)
    let patience = card.patience.map { " for \(SpanText.left($0, in: .english))" } ?? ""
    return record(.unanswered, "Nobody has answered \(name)\(patience)")
  }

  private func record(_ id: MessageID, _ text: String) -> JournalRecord {
    var record = JournalRecord(id, .notice, text)
    add(to: &record)
    return record
  }

  /// ``record``, as it is sent.
  func write(to message: inout NativeMessage) {
    message.begin(.rang, .notice, text)
    addRing(to: &message)
  }

  private func addRing(to entry: inout some JournalFields) {
    add(to: &entry)
    entry.add("EGG_SUMMARY", shownSummary)
    entry.add("EGG_BODY", shownBody)
  }

  private func add(to entry: inout some JournalFields) {
    entry.add("EGG_ALARM_ID", card.id)
    entry.add("EGG_ALARM_NUMBER", number)
    entry.add("EGG_DUE_AT", dueAt.microseconds)
    if ahead != .zero { entry.add("EGG_MOMENT_AT", (dueAt + ahead).microseconds) }
    entry.add("EGG_LATENESS_US", lateness.microseconds)
    entry.add("EGG_CATEGORY", card.category.rawValue)
    if let label = card.shownLabel { entry.add("EGG_LABEL", label) }
    if let group = card.group { entry.add("EGG_GROUP", group.visible) }
    if let reason { entry.add("EGG_LATE_REASON", reason.rawValue) }
    if elapsed > 1 { entry.add("EGG_MISSED_COUNT", elapsed) }
  }
}
