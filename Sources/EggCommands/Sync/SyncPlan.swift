import Alarms
import EggProtocol
import EggTime
import Gettext
import ICalendar

/// What synchronising will do: to the list, to the folder, and what both then have in common.
struct SyncPlan {
  struct Write {
    var file: String
    var text: String
    /// The file that it replaces; nil for a new one.
    var replaced: SyncFolder.Stamp?
  }

  /// Something that a person should know.
  struct Notice: Hashable {
    /// The alarm, or the file.
    var subject: String
    var text: String
    var isConflict = false
    var number: Int64?
  }

  var entries: [SyncState.Entry] = []
  var created: [WireAlarm] = []
  var replaced: [WireAlarm] = []
  var deleted: [AlarmID] = []
  var writes: [Write] = []
  var removals: [SyncState.Steps.Removal] = []
  var notices: [Notice] = []

  var changesList: Bool { !created.isEmpty || !replaced.isEmpty || !deleted.isEmpty }
  var changesFolder: Bool { !writes.isEmpty || !removals.isEmpty }
}

/// Compares both sides with what they had in common.
///
/// A field that one side changed is carried over; one that both changed goes to the side that was changed later.
/// A change beats a deletion. Without a common past, the side that was changed later gives all fields.
struct SyncPlanner {
  let reader: ContentReader
  let folder: SyncFolder
  private let files: [String: SyncFolder.Stamp]
  private let alarms: [AlarmID: WireAlarm]
  private var plan = SyncPlan()
  /// Identities and names that are spoken for.
  private var ids: Set<AlarmID> = []
  private var uids: Set<String> = []

  init(
    _ folder: SyncFolder, _ files: [String: SyncFolder.Stamp], _ alarms: [WireAlarm], _ reader: ContentReader
  ) {
    (self.reader, self.folder, self.files) = (reader, folder, files)
    var byID: [AlarmID: WireAlarm] = [:]
    for alarm in alarms { if let id = alarm.id { byID[id] = alarm } }
    self.alarms = byID
  }

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

  /// - Parameter known: What both sides had in common.
  static func plan(
    _ known: [SyncState.Entry], _ folder: SyncFolder, _ files: [String: SyncFolder.Stamp],
    _ alarms: [WireAlarm],
    _ reader: ContentReader
  ) throws -> SyncPlan {
    var planner = SyncPlanner(folder, files, alarms, reader)
    var free = Set(files.keys)
    for entry in known {
      if let uid = entry.uid { planner.uids.insert(uid) }
      if let id = entry.id { planner.ids.insert(id) }
    }
    for entry in known {
      free.remove(entry.file)
      if entry.id == nil {
        try planner.takeUnpaired(entry)
      } else if try !planner.takePair(entry) {
        free.insert(entry.file)
      }
    }
    for file in free.sorted() where files[file] != nil { try planner.takeNew(file) }
    for alarm in alarms { planner.takeNew(alarm) }
    return planner.plan
  }

  // MARK: Files without an alarm

  private mutating func takeUnpaired(_ entry: SyncState.Entry) throws {
    guard let stamp = files[entry.file] else {
      if let uid = entry.uid { uids.remove(uid) }
      return
    }
    if stamp == entry.stamp { return plan.entries.append(entry) }
    if let uid = entry.uid { uids.remove(uid) }
    try takeNew(entry.file)
  }

  private mutating func takeNew(_ file: String) throws {
    guard let stamp = files[file], let bytes = try folder.read(file) else { return }
    var entry = SyncState.Entry(file: file, stamp: stamp)
    let item: CalendarItem
    do {
      item = try self.item(bytes)
    } catch {
      return leave(entry, error.text)
    }
    guard uids.insert(item.uid).inserted else {
      return leave(entry, tr("another file has the same UID"))
    }
    entry.uid = item.uid
    guard let id = AlarmID(item.uid) ?? Digest.identity(of: item.uid), let found = item.entry else {
      return plan.entries.append(entry)
    }
    let there = CalendarContent(found, at: reader.context.now)
    if let alarm = alarms[id], ids.insert(id).inserted {
      entry.id = id
      guard let here = reader.content(of: alarm, common: there) else { return plan.entries.append(entry) }
      return settle(entry, alarm, here: here, item, there: there, common: nil)
    }
    // What is past when it is first seen would only fill the list.
    guard found.due != nil, !ids.contains(id), let alarm = reader.alarm(of: there, id: id) else {
      return plan.entries.append(entry)
    }
    ids.insert(id)
    entry.id = id
    entry.common = reader.text(of: there, uid: item.uid)
    plan.created.append(alarm)
    plan.entries.append(entry)
    for note in found.notes { plan.notices.append(SyncPlan.Notice(subject: file, text: note)) }
  }

  /// A file that stays as it is, without an alarm.
  private mutating func leave(_ entry: SyncState.Entry, _ problem: String) {
    var entry = entry
    entry.problem = problem
    plan.entries.append(entry)
  }

  private struct Unreadable: Error {
    var text: String
  }

  private func item(_ bytes: [UInt8]) throws(Unreadable) -> CalendarItem {
    guard bytes.count <= SyncFolder.longest else { throw Unreadable(text: tr("it is too large")) }
    do {
      return try CalendarItem(bytes, in: reader.context)
    } catch {
      throw Unreadable(text: error.summary.map { "'\($0)': \(error.message)" } ?? error.message)
    }
  }

  // MARK: Files and their alarms

  /// False if the file belongs to something else by now.
  private mutating func takePair(_ entry: SyncState.Entry) throws -> Bool {
    guard let id = entry.id else { return true }
    if let stamp = entry.stamp, stamp == files[entry.file], entry.problem == nil, let digest = entry.digest,
      digest == alarms[id]?.digest
    {
      plan.entries.append(entry)
      return true
    }
    let common = entry.common.flatMap(reader.content)
    let side = try side(of: entry, common)
    let alarm = alarms[id]
    var entry = entry
    if case .gone = side {} else if case .other = side {} else { entry.stamp = files[entry.file] }
    entry.problem = nil
    let here = alarm.map { alarm in
      alarm.digest == entry.digest && common != nil ? common : reader.content(of: alarm, common: common)
    }
    switch (side, alarm, here) {
    case (.broken(let problem), _, _):
      entry.problem = problem
      plan.entries.append(entry)
    case (.gone, nil, _), (.other, nil, _):
      forget(entry)
    case (.gone, let alarm?, let here), (.other, let alarm?, let here):
      if let here = here ?? nil, here != common, let common {
        conflict(
          alarm, tr("it was changed here and deleted in the folder: it stays"), here.differences(from: common)
        )
        forget(entry)
        write(alarm, here, isNew: true)
      } else {
        plan.deleted.append(id)
        forget(entry)
      }
    case (.off, nil, _):
      (entry.id, entry.common, entry.digest) = (nil, nil, nil)
      plan.entries.append(entry)
    case (.off, let alarm?, let here):
      if let here = here ?? nil, here != common {
        conflict(alarm, tr("it was changed here and ended in the folder: it stays"), [])
        entry.digest = alarm.digest
        entry.common = reader.text(of: here, uid: entry.uid ?? id.description)
      } else {
        plan.deleted.append(id)
        (entry.id, entry.common, entry.digest) = (nil, nil, nil)
      }
      plan.entries.append(entry)
    case (.same, nil, _):
      if let stamp = files[entry.file] { plan.removals.append(.init(file: entry.file, stamp: stamp)) }
      forget(entry)
    case (.changed(let item, let there), nil, _):
      entry.common = reader.text(of: there, uid: item.uid)
      entry.digest = nil
      guard let alarm = reader.alarm(of: there, id: id) else {
        (entry.id, entry.common) = (nil, nil)
        plan.entries.append(entry)
        break
      }
      plan.created.append(alarm)
      plan.notices.append(
        SyncPlan.Notice(
          subject: there.label ?? entry.file,
          text: tr("it was deleted here and changed in the folder: it is back"),
          isConflict: true))
      plan.entries.append(entry)
    case (.same(let item), let alarm?, let here):
      guard let here = here ?? nil, let common, here != common else {
        entry.digest = alarm.digest
        if common == nil, let here = here ?? nil {
          entry.common = reader.text(of: here, uid: entry.uid ?? id.description)
        }
        plan.entries.append(entry)
        break
      }
      guard let item = try item ?? read(entry) else {
        // It changed this very moment: the next time will tell.
        entry.stamp = nil
        plan.entries.append(entry)
        break
      }
      settle(entry, alarm, here: here, item, there: common, common: common)
    case (.changed(let item, let there), let alarm?, let here):
      guard let here = here ?? nil else {
        entry.stamp = nil
        plan.entries.append(entry)
        break
      }
      settle(entry, alarm, here: here, item, there: there, common: common)
    }
    if case .other = side { return false }
    return true
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
    let there = CalendarContent(found, at: reader.context.now)
    if there == common { return .same(item) }
    // The end of a series is a change like others as long as anything is to come.
    if there.time.timing.recurs, found.due == nil { return .off }
    return .changed(item, there)
  }

  /// Makes both sides equal.
  private mutating func settle(
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
    let (toHere, toThere) = (merged.differences(from: here), merged.differences(from: there))
    entry.common = reader.text(of: merged, uid: item.uid) ?? entry.common
    if toHere.isEmpty {
      entry.digest = alarm.digest
    } else if let changed = reader.alarm(alarm, taking: toHere, of: merged) {
      plan.replaced.append(changed)
      entry.digest = nil
    } else {
      // Nothing of it is to come.
      if let id = alarm.id { plan.deleted.append(id) }
      (entry.id, entry.common, entry.digest) = (nil, nil, nil)
    }
    if !toThere.isEmpty, entry.id != nil {
      var written = CalendarAlarm(merged, uid: item.uid)
      written.modifiedAt = max(changedAt, item.modifiedAt ?? changedAt)
      written.doneAt = alarm.doneAt
      // A file that is changed back to what it was must be another one: vdirsyncer 0.19 compares it with what it was
      // before the last change from the server, and without its moments.
      written.revision = min(max(item.revision, 0), 1 << 30) + 1
      if let text = CalendarItem.text(of: written, in: reader.context) {
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

  private mutating func forget(_ entry: SyncState.Entry) {
    if let uid = entry.uid { uids.remove(uid) }
  }

  private mutating func conflict(_ alarm: WireAlarm, _ text: String, _ fields: Set<CalendarContent.Field>) {
    let names = CalendarContent.Field.allCases.filter(fields.contains).map(\.rawValue).joined(separator: ", ")
    plan.notices.append(
      SyncPlan.Notice(
        subject: tr("alarm \(alarm.number)"), text: names.isEmpty ? text : "\(text) (\(names))",
        isConflict: true,
        number: alarm.number))
  }

  // MARK: Alarms without a file

  private mutating func takeNew(_ alarm: WireAlarm) {
    guard let id = alarm.id, !ids.contains(id), let content = reader.content(of: alarm, common: nil) else {
      return
    }
    write(alarm, content, isNew: true)
  }

  private mutating func write(_ alarm: WireAlarm, _ content: CalendarContent, isNew: Bool) {
    guard let id = alarm.id else { return }
    let uid = id.description
    var written = CalendarAlarm(content, uid: uid)
    written.createdAt = alarm.createdAt
    written.modifiedAt = alarm.modifiedAt ?? alarm.createdAt
    written.doneAt = alarm.doneAt
    guard uids.insert(uid).inserted, let text = CalendarItem.text(of: written, in: reader.context) else {
      return
    }
    ids.insert(id)
    var file = uid + ".ics"
    var count = 1
    while files[file] != nil {
      count += 1
      file = "\(uid)-\(count).ics"
    }
    plan.writes.append(SyncPlan.Write(file: file, text: text, replaced: nil))
    plan.entries.append(
      SyncState.Entry(
        file: file, stamp: nil, uid: uid, id: id, common: reader.text(of: content, uid: uid),
        digest: alarm.digest))
  }
}
