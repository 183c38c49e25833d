import Alarms

extension Bubbles {
  /// Whether this occurrence has a bubble or waits for one.
  package func rings(_ occurrence: Int64) -> Bool { owners[occurrence] != nil }

  /// Whether anything has a bubble or waits for one.
  package var ringsAny: Bool { !owners.isEmpty }
}

extension BubbleMembers {
  /// The sound of a shared bubble: the one of the alarm that was due first, but silence only where all are silent.
  func sound(first: AlarmCard) -> AlarmSound? {
    guard first.heard == .silence else { return first.heard }
    let isSilent = all.allSatisfy { $0.notice.card.heard == .silence }
    return isSilent ? .silence : nil
  }
}
