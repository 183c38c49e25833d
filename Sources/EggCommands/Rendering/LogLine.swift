import Alarms
import EggTime
import Gettext

/// Journal entries as lines: when, and what happened.
struct LogLine {
  let moments: Moments
  /// The alarm that the command line names.
  let asked: Int64?
  private let words = ChangeWords(in: tr)

  /// Entries worded here; all others show their message.
  private enum MessageID {
    static let rang = "cf5f9b230d1e4ddb9d5b5e792f1015a6"
    static let missed = "1949480d82264cecb0f434437ed29d41"
    static let unanswered = "b7d0a5c1f6424c0e9a53e0c7d1b9f284"
  }

  /// `2026. 11. 23. 07:30:00   #85 "pills" rang`.
  func text(_ entry: JournalEntry) -> String {
    "\(moment(entry, "__REALTIME_TIMESTAMP") ?? "?")   \(what(entry))\n"
  }

  private func what(_ entry: JournalEntry) -> String {
    if let change = entry["EGG_CHANGE"] { return self.change(change, entry) }
    guard let number = entry.number("EGG_ALARM_NUMBER") else { return entry["MESSAGE"]?.visible ?? "?" }
    let name = ChangeWords.name(number, label: entry["EGG_LABEL"])
    switch entry["MESSAGE_ID"] {
    case MessageID.rang: return tr("\(name) rang\(late(entry))")
    case MessageID.missed:
      let due = moment(entry, "EGG_DUE_AT").map { tr(", due \($0)") } ?? ""
      return tr("\(name) missed\(due)\(late(entry))")
    case MessageID.unanswered: return tr("\(name) was not answered")
    default: return entry["MESSAGE"]?.visible ?? "?"
    }
  }

  /// `, 3 s late: eggd was not running`.
  private func late(_ entry: JournalEntry) -> String {
    let lateness = TimeSpan(microseconds: entry.number("EGG_LATENESS_US") ?? 0)
    let reason = entry["EGG_LATE_REASON"].map { LateReason(rawValue: $0) ?? .other }
    let count = entry.number("EGG_MISSED_COUNT").map { tr(", stands for \($0) times") } ?? ""
    return (Lateness.text(lateness, reason, words: SpanText.left, in: tr).map { ", \($0)" } ?? "") + count
  }

  private func change(_ change: String, _ entry: JournalEntry) -> String {
    let client = words.client(entry["EGG_CLIENT"], processID: entry.number("EGG_CLIENT_PID"))
    if let undone = entry["EGG_UNDONE"].flatMap({ ChangeKind(rawValue: $0) }) {
      return words.undone(
        undone, of: subject(undone, entry), redoes: entry["EGG_CHANGE"] == "redo", by: client)
    }
    // Changes that are only counted, and those of a later version, show their message.
    guard let kind = ChangeKind(rawValue: change) else { return entry["MESSAGE"]?.visible ?? "?" }
    let moment = moment(entry, kind == .snooze ? "EGG_SNOOZED_UNTIL" : "EGG_DUE_AT")
    return words.sentence(kind, of: subject(kind, entry), moment: moment, by: client)
  }

  private func subject(_ kind: ChangeKind, _ entry: JournalEntry) -> String {
    let count = entry.number("EGG_COUNT")
    switch kind {
    case .createGroup, .editGroup, .deleteGroup:
      return words.group(entry["EGG_GROUP"] ?? "?", alarms: kind == .deleteGroup ? count ?? 0 : 0)
    case .daysOff: return words.daysOff(entry["EGG_DAYS_OFF"] ?? "?")
    default: break
    }
    guard let number = entry.number("EGG_ALARM_NUMBER") else { return words.alarms(count ?? 1) }
    guard let count, count != 1 else { return ChangeWords.name(number, label: entry["EGG_LABEL"]) }
    return asked.map { tr("#\($0) and \(count - 1) more") } ?? words.alarms(count)
  }

  private func moment(_ entry: JournalEntry, _ field: String) -> String? {
    entry.number(field).map { moments.text(Instant(microseconds: $0)) }
  }
}
