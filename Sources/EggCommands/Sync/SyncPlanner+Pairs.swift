import Alarms
import EggProtocol
import EggTime
import Gettext
import ICalendar

/// Files and their alarms.
extension SyncPlanner {
  /// What a file holds, compared with what was known of it.
  private enum FileSide {
    case gone
    /// It has another UID now.
    case other
    /// Unread, or of the same content.
    case same(CalendarItem?)
    case changed(CalendarItem, CalendarContent)
    /// Cancelled, or nothing of it is to come.
    case off
    case broken(String)
  }

  private struct Pair {
    var entry: SyncState.Entry
    let id: AlarmID
    /// nil if it is deleted.
    let alarm: WireAlarm?
    /// What both sides had.
    let common: CalendarContent?
    /// What the alarm has now; nil if it is deleted, or has no time that a calendar can show.
    let here: CalendarContent?

    var isChangedHere: Bool { here != nil && here != common }
  }

  /// False if the file belongs to something else by now.
  mutating func takePair(_ entry: SyncState.Entry) throws -> Bool {
    guard let id = entry.id else { return true }
    let alarm = alarms[id]
    if let stamp = entry.stamp, stamp == files[entry.file], entry.problem == nil, let digest = entry.digest,
      digest == alarm?.digest
    {
      plan.entries.append(entry)
      return true
    }
    let common = entry.common.flatMap(reader.content)
    let side = try side(of: entry, common)
    // What does not go to the folder stays a difference from it.
    let isSameHere =
      common != nil && entry.digest != nil && alarm?.digest == entry.digest && !reader.scope.isReadOnly
    let here = isSameHere ? common : alarm.flatMap { reader.content(of: $0, common: common) }
    var pair = Pair(entry: entry, id: id, alarm: alarm, common: common, here: here)
    pair.entry.stamp = files[entry.file]
    pair.entry.problem = nil
    switch side {
    case .gone, .other: fileIsGone(pair)
    case .off: fileHasEnded(pair)
    case .same(let item): try fileIsSame(pair, item)
    case .changed(let item, let there): fileHasChanged(pair, item, there)
    case .broken(let problem):
      pair.entry.problem = problem
      plan.entries.append(pair.entry)
    }
    if case .other = side { return false }
    return true
  }

  private mutating func fileIsGone(_ pair: Pair) {
    forget(pair.entry)
    guard let alarm = pair.alarm else { return }
    guard let here = pair.here, let common = pair.common, here != common else {
      plan.deleted.append(pair.id)
      return
    }
    conflict(
      alarm, tr("it was changed here and deleted in the folder: it stays"), here.differences(from: common))
    if !reader.scope.isReadOnly { write(alarm, here) }
  }

  /// The file stays: only its alarm goes.
  private mutating func fileHasEnded(_ pair: Pair) {
    var entry = pair.entry
    if let alarm = pair.alarm, let here = pair.here, pair.isChangedHere {
      conflict(alarm, tr("it was changed here and ended in the folder: it stays"), [])
      entry.digest = alarm.digest
      entry.common = reader.text(of: here, uid: entry.uid ?? pair.id.description)
    } else {
      if pair.alarm != nil { plan.deleted.append(pair.id) }
      entry.unpair()
    }
    plan.entries.append(entry)
  }

  private mutating func fileIsSame(_ pair: Pair, _ item: CalendarItem?) throws {
    var entry = pair.entry
    guard let alarm = pair.alarm else {
      if reader.scope.isReadOnly {
        entry.unpair()
        return plan.entries.append(entry)
      }
      if let stamp = entry.stamp { plan.removals.append(.init(file: entry.file, stamp: stamp)) }
      return forget(entry)
    }
    guard let common = pair.common else {
      // They were never compared: the file is to be read for that.
      entry.stamp = nil
      return plan.entries.append(entry)
    }
    guard let here = pair.here, here != common else {
      entry.digest = alarm.digest
      return plan.entries.append(entry)
    }
    guard let item = try item ?? read(entry) else {
      // It changed this very moment: the next time will tell.
      entry.stamp = nil
      return plan.entries.append(entry)
    }
    settle(entry, alarm, here: here, item, there: common, common: common)
  }

  private mutating func fileHasChanged(_ pair: Pair, _ item: CalendarItem, _ there: CalendarContent) {
    var entry = pair.entry
    if let alarm = pair.alarm {
      guard let here = pair.here else {
        // It is compared again once the alarm has a time.
        entry.stamp = nil
        return plan.entries.append(entry)
      }
      return settle(entry, alarm, here: here, item, there: there, common: pair.common)
    }
    entry.digest = nil
    if let alarm = reader.alarm(of: there, id: pair.id) {
      entry.common = reader.text(of: there, uid: item.uid)
      plan.created.append(alarm)
      plan.notices.append(
        SyncPlan.Notice(
          subject: there.label ?? entry.file,
          text: tr("it was deleted here and changed in the folder: it is back"), isConflict: true))
    } else {
      entry.unpair()
    }
    plan.entries.append(entry)
  }

  private func read(_ entry: SyncState.Entry) throws -> CalendarItem? {
    guard let bytes = try folder.read(entry.file), let item = try? item(bytes), item.uid == entry.uid else {
      return nil
    }
    return item
  }

  private func side(of entry: SyncState.Entry, _ common: CalendarContent?) throws -> FileSide {
    guard let stamp = files[entry.file] else { return .gone }
    if stamp == entry.stamp { return entry.problem.map(FileSide.broken) ?? .same(nil) }
    guard let bytes = try folder.read(entry.file) else { return .gone }
    let item: CalendarItem
    do {
      item = try self.item(bytes)
    } catch {
      return .broken(error.text)
    }
    guard item.uid == entry.uid else { return .other }
    guard let found = item.entry else { return .off }
    let there = reader.content(of: found)
    if there == common { return .same(item) }
    // The end of a series is a change like others as long as anything is to come.
    if there.time.timing.recurs, found.due == nil { return .off }
    return .changed(item, there)
  }

  /// Makes both sides equal.
  mutating func settle(
    _ entry: SyncState.Entry, _ alarm: WireAlarm, here: CalendarContent, _ item: CalendarItem,
    there: CalendarContent, common: CalendarContent?
  ) {
    var entry = entry
    let changedAt = alarm.modifiedAt ?? alarm.createdAt ?? Instant(microseconds: 0)
    let wins = item.modifiedAt.map { $0 > changedAt } ?? false
    let past = common ?? (wins ? here : there)
    let (changedHere, changedThere) = (here.differences(from: past), there.differences(from: past))
    var merged = past
    merged.take(changedHere, from: here)
    merged.take(changedThere.subtracting(changedHere), from: there)
    let both = changedHere.intersection(changedThere).intersection(here.differences(from: there))
    if wins { merged.take(both, from: there) }
    if !both.isEmpty {
      conflict(
        alarm,
        wins
          ? tr("changed on both sides; the folder's change is later and stays")
          : tr("changed on both sides; the change here is later and stays"), both)
    } else if common == nil, here != there {
      conflict(
        alarm,
        wins
          ? tr("it differs in the folder, where it was changed later: that stays")
          : tr("it differs in the folder; here it was changed later, so that is replaced"),
        here.differences(from: there))
    }
    let toHere = merged.differences(from: here)
    let toThere = reader.scope.isReadOnly ? [] : merged.differences(from: there)
    entry.common = reader.text(of: reader.scope.isReadOnly ? there : merged, uid: item.uid) ?? entry.common
    if toHere.isEmpty {
      entry.digest = alarm.digest
    } else if let changed = reader.alarm(alarm, taking: toHere, of: merged) {
      plan.replaced.append(changed)
      entry.digest = nil
    } else {
      // Nothing of it is to come.
      if let id = alarm.id { plan.deleted.append(id) }
      entry.unpair()
    }
    if !toThere.isEmpty, entry.id != nil {
      var written = CalendarAlarm(merged, uid: item.uid)
      written.modifiedAt = max(changedAt, item.modifiedAt ?? changedAt)
      written.doneAt = alarm.doneAt
      // A file that is changed back to what it was must be another one: vdirsyncer 0.19 compares it with what it was
      // before the last change from the server, and without its moments.
      written.revision = min(max(item.revision, 0), 1 << 30) + 1
      if let text = CalendarItem.text(
        of: written, in: reader.context, daysOff: { [reader] in reader.daysOff[$0] })
      {
        var file = item.text(taking: toThere, from: text) ?? text
        // What other programs have written may stand in the way.
        if reader.content(of: file) != merged { file = text }
        plan.writes.append(SyncPlan.Write(file: entry.file, text: file, replaced: entry.stamp))
      } else {
        entry.digest = nil
        entry.stamp = nil
      }
    }
    plan.entries.append(entry)
  }
}

extension SyncState.Entry {
  /// From now on the file has no alarm.
  fileprivate mutating func unpair() {
    id = nil
    common = nil
    digest = nil
  }
}
