import Alarms
import EggStore
import EggTime

/// A change as journal entries: one for each alarm, or one for all if there are more than a few.
extension MadeChange {
  func records(_ zone: Zone, _ wall: WallClock) -> [JournalRecord] {
    guard let alarms else {
      return count == 0 && group == nil && daysOff == nil && undone == nil ? [] : [sum]
    }
    return alarms.map { record(of: $0, zone, wall) }
  }

  private func record(of alarm: Alarm, _ zone: Zone, _ wall: WallClock) -> JournalRecord {
    let kind = kind ?? .other
    let due =
      deletes
      ? nil
      : kind == .snooze ? alarm.latest?.due.map(wall.callAsFunction) : alarm.nextDue(wall.callAsFunction)
    let name = ChangeWords.name(alarm.number, label: alarm.label)
    var record = JournalRecord(
      MessageID(kind), .info,
      ChangeWords.english.sentence(
        kind, of: name, moment: due.map { MomentFormat.dotted.text($0, in: zone) }, by: clientWords))
    record.add("EGG_CHANGE", kind.rawValue)
    record.add("EGG_ALARM_ID", alarm.id)
    record.add("EGG_ALARM_NUMBER", alarm.number)
    if let label = alarm.label { record.add("EGG_LABEL", label.visible) }
    if let group = alarm.group { record.add("EGG_GROUP", group.visible) }
    record.add("EGG_CATEGORY", alarm.category.rawValue)
    if let due { record.add(kind == .snooze ? "EGG_SNOOZED_UNTIL" : "EGG_DUE_AT", due.microseconds) }
    addClient(to: &record)
    return record
  }

  /// One entry for all alarms. Each number is a field: journalctl finds the entry by any of them.
  var sum: JournalRecord {
    let changed = undone?.kind ?? kind ?? .other
    let subject = subject(changed)
    let text =
      undone == nil
      ? ChangeWords.english.sentence(changed, of: subject, moment: nil, by: clientWords)
      : ChangeWords.english.undone(changed, of: subject, redoes: redoes, by: clientWords)
    // An undo that was only counted does not say of what.
    let isUndo = undone != nil || kind == nil
    let undo = redoes ? "redo" : "undo"
    var record = JournalRecord(
      isUndo ? .undone : MessageID(changed), .info, text.prefix(1).uppercased() + text.dropFirst())
    record.add("EGG_CHANGE", isUndo ? undo : changed.rawValue)
    if let undone { record.add("EGG_UNDONE", undone.kind.rawValue) }
    for number in numbers { record.add("EGG_ALARM_NUMBER", number) }
    if numbers.count == 1, let label = undone?.label { record.add("EGG_LABEL", label.visible) }
    if let group = groupName { record.add("EGG_GROUP", group.visible) }
    if let daysOffName { record.add("EGG_DAYS_OFF", daysOffName.visible) }
    // Alarms that only left their group were not deleted with it.
    if groupName == nil || deletes || undone != nil { record.add("EGG_COUNT", count) }
    addClient(to: &record)
    return record
  }

  private func subject(_ kind: ChangeKind) -> String {
    if let groupName {
      return ChangeWords.english.group(
        groupName, alarms: kind == .deleteGroup && (deletes || undone != nil) ? count : 0)
    }
    if let daysOffName { return ChangeWords.english.daysOff(daysOffName) }
    if let undone, numbers.count == 1, count == 1 { return ChangeWords.name(numbers[0], label: undone.label) }
    return ChangeWords.english.alarms(count)
  }

  private var daysOffName: String? { daysOff ?? (undone?.kind == .daysOff ? undone?.label : nil) }

  private var groupName: String? {
    if let group { return group }
    switch undone?.kind {
    case .createGroup, .editGroup, .deleteGroup: return undone?.label
    default: return nil
    }
  }

  private var clientWords: String? {
    ChangeWords.english.client(clientName, processID: processID.map { Int64($0) })
  }
  private var clientName: String? { client == .bubble ? "its bubble" : client.name }

  private func addClient(to record: inout JournalRecord) {
    if let clientName { record.add("EGG_CLIENT", clientName.visible) }
    if let processID { record.add("EGG_CLIENT_PID", Int64(processID)) }
  }
}

extension MessageID {
  package init(_ kind: ChangeKind) {
    self =
      switch kind {
      case .schedule: .scheduled
      case .edit, .other: .edited
      case .delete: .deleted
      case .snooze: .snoozed
      case .dismiss: .dismissed
      case .skip: .skipped
      case .pause: .paused
      case .resume: .unpaused
      case .extend: .extended
      case .done: .markedDone
      case .undone: .markedUndone
      case .move: .moved
      case .import: .imported
      case .sync: .synchronised
      case .createGroup, .editGroup, .deleteGroup: .groupChanged
      case .daysOff: .daysOffChanged
      }
  }
}
