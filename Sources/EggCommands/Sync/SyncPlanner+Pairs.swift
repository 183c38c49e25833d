import Alarms
import EggProtocol
import EggTime
import Gettext
import ICalendar

/// Files and their alarms.
extension SyncPlanner {
  /// What a file holds, compared with what was known of it.
  private enum FileSide {
    /// It is gone, or another entry's by now.
    case gone
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
    /// What the file had.
    let past: CalendarContent?
    /// What the alarm has now; nil if it is deleted, or has no time that a calendar can show.
    let here: CalendarContent?

    var isChangedHere: Bool { here != nil && here != common }
  }

  mutating func takePair(_ entry: SyncState.Entry, _ id: AlarmID) throws {
    let alarm = alarms[id]
    if let stamp = entry.stamp, stamp == files[entry.file], entry.problem == nil, let digest = entry.digest,
      digest == alarm?.digest
    {
      return plan.entries.append(entry)
    }
    let common = entry.common.flatMap(reader.content)
    let past = entry.apart.flatMap(reader.content) ?? common
    let side = try side(of: entry, past)
    let isSameHere = common != nil && entry.digest != nil && alarm?.digest == entry.digest
    let here = isSameHere ? common : alarm.flatMap { reader.content(of: $0, common: common) }
    var pair = Pair(entry: entry, id: id, alarm: alarm, common: common, past: past, here: here)
    pair.entry.stamp = files[entry.file]
    pair.entry.problem = nil
    if outside.contains(id) { return stay(entry, side) }
    switch side {
    case .gone: try fileIsGone(pair)
    case .off: fileHasEnded(pair)
    case .same(let item): try fileIsSame(pair, item)
    case .changed(let item, let there): fileHasChanged(pair, item, there)
    case .broken(let problem):
      pair.entry.problem = problem
      plan.entries.append(pair.entry)
    }
  }

  /// The alarm is another folder's by now. That one takes the file.
  private mutating func stay(_ entry: SyncState.Entry, _ side: FileSide) {
    if case .gone = side { return forget(entry) }
    var entry = entry
    entry.problem = tr("its alarm has left this folder's group; the file stays until another folder takes it")
    plan.entries.append(entry)
  }

  private mutating func fileIsGone(_ pair: Pair) throws {
    forget(pair.entry)
    guard let alarm = pair.alarm else { return }
    if try hasFile(pair.id) {
      // The other folder took it, and the alarm came back.
      ids.remove(pair.id)
      return
    }
    guard let here = pair.here, let common = pair.common, here != common else {
      return plan.deleted.append(pair.id)
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
      if reader.scope.isReadOnly || cleared.contains(pair.id) {
        entry.unpair()
        return plan.entries.append(entry)
      }
      if let item, let past = pair.past, let contents = entry.contents, contents != self.contents[entry.file]
      {
        // What changed is no field of an alarm.
        return fileHasChanged(pair, item, past)
      }
      if let stamp = entry.stamp { plan.removals.append(.init(file: entry.file, stamp: stamp)) }
      return forget(entry)
    }
    guard let common = pair.common, let past = pair.past else {
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
    settle(entry, alarm, here: here, item, there: past, past: (common, past))
  }

  private mutating func fileHasChanged(_ pair: Pair, _ item: CalendarItem, _ there: CalendarContent) {
    var entry = pair.entry
    tell(item, of: entry.file)
    if let alarm = pair.alarm {
      guard let here = pair.here else {
        // It is compared again once the alarm has a time.
        entry.stamp = nil
        return plan.entries.append(entry)
      }
      let past = pair.common.map { ($0, pair.past ?? $0) }
      return settle(entry, alarm, here: here, item, there: there, past: past)
    }
    entry.digest = nil
    if let alarm = reader.alarm(of: there, id: pair.id) {
      entry.common = reader.text(of: there, uid: item.uid)
      entry.apart = nil
      plan.created.append(alarm)
      note(
        there.label ?? entry.file, tr("it was deleted here and changed in the folder: it is back"),
        isConflict: true)
    } else {
      entry.unpair()
    }
    plan.entries.append(entry)
  }

  private mutating func read(_ entry: SyncState.Entry) throws -> CalendarItem? {
    guard let bytes = try read(entry.file), let item = try? reader.item(bytes), item.uid == entry.uid
    else {
      return nil
    }
    return item
  }

  /// A file that is another entry's is free for that.
  private mutating func side(of entry: SyncState.Entry, _ past: CalendarContent?) throws -> FileSide {
    guard let stamp = files[entry.file] else { return .gone }
    if stamp == entry.stamp, entry.problem == nil { return .same(nil) }
    guard let bytes = try read(entry.file) else { return .gone }
    let item: CalendarItem
    do {
      item = try reader.item(bytes)
    } catch {
      return .broken(error.message)
    }
    guard item.uid == entry.uid else {
      free.insert(entry.file)
      return .gone
    }
    guard let found = item.entry else { return .off }
    let there = reader.content(of: found, past: past)
    if there == past { return .same(item) }
    // The end of a series is a change like others as long as anything is to come.
    if found.timing.recurs, found.due == nil { return .off }
    return .changed(item, there)
  }

  /// Makes both sides equal. What the file cannot say, or is not to say, stays as it is on either side.
  ///
  /// - Parameter past: What the alarm had, and what the file had.
  mutating func settle(
    _ entry: SyncState.Entry, _ alarm: WireAlarm, here: CalendarContent, _ item: CalendarItem,
    there: CalendarContent, past: (here: CalendarContent, there: CalendarContent)?
  ) {
    var entry = entry
    let changedAt = alarm.modifiedAt ?? alarm.createdAt ?? Instant(microseconds: 0)
    let wins = item.modifiedAt.map { $0 > changedAt } ?? false
    let latest = wins ? here : there
    let changes = ContentChanges(here, there, since: past ?? (latest, latest))
    if !changes.both.isEmpty {
      conflict(
        alarm,
        wins
          ? tr("changed on both sides; the folder's change is later and stays")
          : tr("changed on both sides; the change here is later and stays"), changes.both)
    } else if past == nil, here != there {
      conflict(
        alarm,
        wins
          ? tr("it differs in the folder, where it was changed later: that stays")
          : tr("it differs in the folder; here it was changed later, so that is replaced"),
        here.differences(from: there))
    }
    var (newHere, newThere) = (here, there)
    newHere.take(changes.toHere(thereWins: wins), from: there)
    let toThere = reader.scope.isReadOnly ? [] : changes.toThere(thereWins: wins)
    newThere.take(toThere, from: here)
    if !toThere.isEmpty {
      let edited = reader.edited(
        item, toThere, from: there, to: newThere, changedAt: changedAt, doneAt: alarm.doneAt)
      guard let edited else {
        entry.digest = nil
        entry.stamp = nil
        return plan.entries.append(entry)
      }
      let apart = newHere.differences(from: newThere).union(edited.unsaid)
      newThere = there
      if let bytes = edited.bytes {
        plan.writes.append(SyncPlan.Write(file: entry.file, bytes: bytes, replaced: entry.stamp))
        newThere = edited.content
        entry.keep(reader.text(of: there, uid: item.uid, modifiedAt: item.modifiedAt))
        entry.keep(reader.text(of: newThere, uid: item.uid, modifiedAt: edited.modifiedAt))
      }
      if !edited.unsaid.isEmpty {
        note(tr("alarm \(alarm.number)"), tr("its file cannot have the new time: it stays there as it was"))
      }
      // A title in the text, dates that are left out: an edit can bring along what the file has.
      newHere.take(newThere.differences(from: newHere).subtracting(apart), from: newThere)
    }
    entry.common = reader.text(of: newHere, uid: item.uid) ?? entry.common
    entry.apart = newHere == newThere ? nil : reader.text(of: newThere, uid: item.uid)
    let toHere = newHere.differences(from: here)
    if toHere.isEmpty {
      entry.digest = alarm.digest
    } else if let changed = reader.alarm(alarm, taking: toHere, of: newHere) {
      plan.replaced.append(changed)
      entry.digest = nil
    } else {
      // Nothing of it is to come.
      if let id = alarm.id { plan.deleted.append(id) }
      entry.unpair()
    }
    plan.entries.append(entry)
  }
}

extension SyncState.Entry {
  /// From now on the file has no alarm.
  fileprivate mutating func unpair() {
    id = nil
    common = nil
    apart = nil
    earlier = nil
    digest = nil
  }
}
