/// Changes to alarms in words, as the journal and `eggctl log` have them.
public enum ChangeWords {
  /// `#85 "pills"`.
  public static func name(_ number: Int64, label: String?) -> String {
    label.map { "#\(number) \"\($0.visible)\"" } ?? "#\(number)"
  }

  /// `1 alarm`, `200 alarms`.
  public static func alarms(_ count: Int64) -> String { count == 1 ? "1 alarm" : "\(count) alarms" }

  /// `group "breakfast"`, with its alarms where they share its fate.
  public static func group(_ name: String, alarms: Int64) -> String {
    let group = "group \"\(name.visible)\""
    return alarms > 0 ? "\(group) with \(self.alarms(alarms))" : group
  }

  /// `eggctl (1234)`; nil if nothing is known.
  public static func client(_ name: String?, processID: Int64?) -> String? {
    guard let processID else { return name?.visible }
    return name.map { "\($0.visible) (\(processID))" } ?? "process \(processID)"
  }

  /// `#85 "pills" scheduled for 2026. 11. 23. 07:30:00, by eggctl (1234)`.
  ///
  /// - Parameter moment: When it rings next, or until when it is snoozed.
  public static func sentence(_ kind: ChangeKind, of subject: String, moment: String?, by client: String?)
    -> String
  {
    subject + " " + phrase(kind, moment) + (client.map { ", by \($0)" } ?? "")
  }

  /// `undone: #85 "pills" deleted, by eggctl (1234)`.
  public static func undone(_ kind: ChangeKind, of subject: String, by client: String?) -> String {
    "undone: " + sentence(kind, of: subject, moment: nil, by: client)
  }

  private static func phrase(_ kind: ChangeKind, _ moment: String?) -> String {
    func with(_ words: String, _ before: String) -> String {
      moment.map { "\(words)\(before)\($0)" } ?? words
    }
    return switch kind {
    case .schedule: with("scheduled", " for ")
    case .edit: with("edited", ", due ")
    case .delete, .deleteGroup: "deleted"
    case .snooze: with("snoozed", " until ")
    case .dismiss: "dismissed"
    case .skip: with("skipped", ", next due ")
    case .pause: "paused"
    case .resume: with("resumed", ", due ")
    case .extend: with("extended", ", due ")
    case .done: "marked done"
    case .undone: with("marked undone", ", due ")
    case .move: "moved"
    case .import: "imported"
    case .createGroup: "created"
    case .editGroup, .other: "changed"
    }
  }
}
