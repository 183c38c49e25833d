/// Kinds of change to the schedule.
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
