import Gettext

/// Changes to alarms in words, as the journal and `eggctl log` have them.
public struct ChangeWords: Sendable {
  private let wording: Wording

  public init(in wording: @escaping Wording) { self.wording = wording }

  /// As the journal has them.
  public static let english = ChangeWords(in: Phrase.english)

  /// `#85 "pills"`.
  public static func name(_ number: Int64, label: String?) -> String {
    label.map { "#\(number) \"\($0.visible)\"" } ?? "#\(number)"
  }

  public func alarms(_ count: Int64) -> String {
    count == 1 ? wording("1 alarm") : wording("\(count) alarms")
  }

  /// `group "breakfast"`, with its alarms where they share its fate.
  public func group(_ name: String, alarms: Int64) -> String {
    let group = wording("group \"\(name.visible)\"")
    return alarms > 0 ? wording("\(group) with \(self.alarms(alarms))") : group
  }

  /// `days off "holidays"`.
  public func daysOff(_ name: String) -> String { wording("days off \"\(name.visible)\"") }

  /// `eggctl (1234)`; nil if nothing is known.
  public func client(_ name: String?, processID: Int64?) -> String? {
    guard let processID else { return name?.visible }
    return name.map { "\($0.visible) (\(processID))" } ?? wording("process \(processID)")
  }

  /// `#85 "pills" scheduled for 2026. 11. 23. 07:30:00, by eggctl (1234)`.
  ///
  /// - Parameter moment: When it rings next, or until when it is snoozed.
  public func sentence(
    _ kind: ChangeKind, of subject: String, moment: String?, by client: String?
  ) -> String {
    let change = wording(phrase(kind, subject, moment))
    return client.map { wording("\(change), by \($0)") } ?? change
  }

  /// `undone: #85 "pills" deleted, by eggctl (1234)`.
  public func undone(_ kind: ChangeKind, of subject: String, redoes: Bool, by client: String?) -> String {
    let change = sentence(kind, of: subject, moment: nil, by: client)
    return redoes ? wording("redone: \(change)") : wording("undone: \(change)")
  }

  private func phrase(_ kind: ChangeKind, _ name: String, _ moment: String?) -> Phrase {
    switch (kind, moment) {
    case (.schedule, let moment?): "\(name) scheduled for \(moment)"
    case (.schedule, nil): "\(name) scheduled"
    case (.edit, let moment?): "\(name) edited, due \(moment)"
    case (.edit, nil): "\(name) edited"
    case (.delete, _), (.deleteGroup, _): "\(name) deleted"
    case (.snooze, let moment?): "\(name) snoozed until \(moment)"
    case (.snooze, nil): "\(name) snoozed"
    case (.dismiss, _): "\(name) dismissed"
    case (.skip, let moment?): "\(name) skipped, next due \(moment)"
    case (.skip, nil): "\(name) skipped"
    case (.pause, _): "\(name) paused"
    case (.resume, let moment?): "\(name) resumed, due \(moment)"
    case (.resume, nil): "\(name) resumed"
    case (.extend, let moment?): "\(name) extended, due \(moment)"
    case (.extend, nil): "\(name) extended"
    case (.done, _): "\(name) marked done"
    case (.undone, let moment?): "\(name) marked undone, due \(moment)"
    case (.undone, nil): "\(name) marked undone"
    case (.move, _): "\(name) moved"
    case (.import, _): "\(name) added"
    case (.sync, _): "\(name) synchronised"
    case (.createGroup, _): "\(name) created"
    case (.editGroup, _), (.daysOff, _), (.other, _): "\(name) changed"
    }
  }
}

public enum ChangeKind: String, CaseIterable, Sendable {
  case schedule
  case edit
  case delete
  case snooze
  case dismiss
  case skip
  case pause
  case resume
  case extend
  case done
  case undone
  case move
  case createGroup
  case editGroup
  case deleteGroup
  case `import`
  case sync
  case daysOff
  /// Unknown to this version.
  case other
}
