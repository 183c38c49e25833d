import Alarms
import EggProtocol
import EggTime
import Gettext
import ICalendar

/// Compares both sides with what they had in common.
///
/// A field that one side changed is carried over; one that both changed goes to the side that was changed later.
/// A change beats a deletion. Without a common past, the side that was changed later gives all fields.
struct SyncPlanner {
  let reader: ContentReader
  let folder: SyncFolder
  let files: [String: SyncFolder.Stamp]
  let alarms: [AlarmID: WireAlarm]
  var plan = SyncPlan()
  /// Identities and names that are spoken for.
  var ids: Set<AlarmID> = []
  var uids: Set<String> = []
  /// Alarms that this folder does not have.
  let outside: Set<AlarmID>
  /// Alarms that eggd has deleted by itself: their files stay.
  let cleared: Set<AlarmID>
  /// What other folders have of alarms that are this one's by now.
  private let elsewhere: () throws -> [AlarmID: OtherFile]
  private var others: [AlarmID: OtherFile]?
  /// Files that no known entry has.
  var free: Set<String> = []
  /// Of files that are written.
  private var names: Set<String> = []
  /// Of what files held when they were read.
  private(set) var contents: [String: String] = [:]

  /// - Parameter known: What both sides had in common.
  static func plan(
    _ known: [SyncState.Entry], _ folder: SyncFolder, _ files: [String: SyncFolder.Stamp],
    _ alarms: [WireAlarm],
    _ reader: ContentReader, cleared: Set<AlarmID> = [],
    elsewhere: @escaping () throws -> [AlarmID: OtherFile] = { [:] }
  ) throws -> SyncPlan {
    var inside: [AlarmID: WireAlarm] = [:]
    var outside: Set<AlarmID> = []
    for alarm in alarms {
      guard let id = alarm.id else { continue }
      if reader.scope.has(alarm) { inside[id] = alarm } else { outside.insert(id) }
    }
    var planner = SyncPlanner(
      reader: reader, folder: folder, files: files, alarms: inside, outside: outside, cleared: cleared,
      elsewhere: elsewhere)
    // What could not be read is looked at as if it were new: what was wrong with it may have changed elsewhere.
    let known = try planner.followRenames(known.filter { $0.uid != nil })
    planner.free = Set(files.keys)
    planner.uids = Set(known.compactMap(\.uid))
    planner.ids = Set(known.compactMap(\.id))
    for entry in known {
      planner.free.remove(entry.file)
      if let id = entry.id { try planner.takePair(entry, id) } else { try planner.takeUnpaired(entry) }
    }
    for file in planner.free.sorted() where files[file] != nil { try planner.takeNew(file) }
    if !reader.scope.isReadOnly {
      for alarm in alarms where reader.scope.has(alarm) { try planner.takeNew(alarm) }
      planner.keepInUse()
    }
    try planner.takeAnswers(known)
    planner.noteContents()
    return planner.plan
  }

  mutating func read(_ file: String) throws -> [UInt8]? {
    let bytes = try folder.read(file)
    contents[file] = bytes.map(Digest.of)
    return bytes
  }

  private mutating func noteContents() {
    for write in plan.writes { contents[write.file] = Digest.of(write.bytes) }
    for place in plan.entries.indices {
      plan.entries[place].contents = contents[plan.entries[place].file] ?? plan.entries[place].contents
    }
  }

  /// Entries whose files have other names by now.
  private func followRenames(_ known: [SyncState.Entry]) throws -> [SyncState.Entry] {
    let lost = known.indices.filter { known[$0].id != nil && files[known[$0].file] == nil }
    guard !lost.isEmpty else { return known }
    var names: [String: String] = [:]
    for file in Set(files.keys).subtracting(known.map(\.file)).sorted() {
      guard let bytes = try folder.read(file), let item = try? reader.item(bytes) else { continue }
      names[item.uid] = names[item.uid] ?? file
    }
    var entries = known
    for place in lost {
      guard let uid = known[place].uid, let file = names[uid] else { continue }
      entries[place].file = file
      entries[place].stamp = nil
    }
    return entries
  }

  private mutating func takeUnpaired(_ entry: SyncState.Entry) throws {
    guard let stamp = files[entry.file] else { return forget(entry) }
    if stamp == entry.stamp, !isBack(entry) { return plan.entries.append(entry) }
    forget(entry)
    try takeNew(entry.file, isKnownUndated: entry.isUndated == true)
  }

  /// Whether an undo has brought its alarm back.
  private func isBack(_ entry: SyncState.Entry) -> Bool {
    guard let uid = entry.uid, let id = Digest.identity(of: uid) else { return false }
    return alarms[id] != nil && !ids.contains(id)
  }

  private mutating func takeNew(_ file: String, isKnownUndated: Bool = false) throws {
    guard let stamp = files[file], let bytes = try read(file) else { return }
    var entry = SyncState.Entry(file: file, stamp: stamp)
    let item: CalendarItem
    do {
      item = try reader.item(bytes)
    } catch {
      return leave(entry, error.message)
    }
    guard uids.insert(item.uid).inserted else {
      return leave(entry, tr("another file has the same UID"))
    }
    entry.uid = item.uid
    if item.lacksDate {
      entry.isUndated = true
      if !isKnownUndated { note(file.visible, tr("it is a to-do without a date and has no alarm")) }
      return plan.entries.append(entry)
    }
    guard let id = Digest.identity(of: item.uid), let found = item.entry else {
      return plan.entries.append(entry)
    }
    if outside.contains(id) {
      // It may be on its way from one folder to another: once it is gone there, it is new here.
      entry.stamp = nil
      return plan.entries.append(entry)
    }
    let there = reader.content(of: found, past: nil)
    if let alarm = alarms[id], ids.insert(id).inserted {
      entry.id = id
      guard let here = reader.content(of: alarm, common: there) else {
        entry.stamp = nil
        return plan.entries.append(entry)
      }
      return settle(entry, alarm, here: here, item, there: there, past: nil)
    }
    // What was past long ago would only fill the list.
    let late = reader.lateAlarm(bytes, id: id)
    guard found.due != nil || late != nil, let alarm = late ?? reader.alarm(of: there, id: id) else {
      return plan.entries.append(entry)
    }
    guard ids.insert(id).inserted else {
      // Its alarm was deleted this very moment, with the file that had it.
      entry.stamp = nil
      return plan.entries.append(entry)
    }
    entry.id = id
    entry.common = reader.text(of: there, uid: item.uid)
    plan.created.append(alarm)
    plan.entries.append(entry)
    tell(item, of: file)
  }

  /// Says what its alarm leaves out.
  mutating func tell(_ item: CalendarItem, of file: String) {
    for note in item.entry?.notes ?? [] { self.note(file.visible, note) }
  }

  mutating func note(_ subject: String, _ text: String, isConflict: Bool = false) {
    plan.notices.append(SyncPlan.Notice(subject: subject, text: text, isConflict: isConflict))
  }

  /// A file that stays as it is, without an alarm.
  private mutating func leave(_ entry: SyncState.Entry, _ problem: String) {
    var entry = entry
    entry.problem = problem
    plan.entries.append(entry)
  }

  mutating func forget(_ entry: SyncState.Entry) {
    if let uid = entry.uid { uids.remove(uid) }
  }

  mutating func conflict(_ alarm: WireAlarm, _ text: String, _ fields: Set<CalendarContent.Field>) {
    let names = CalendarContent.Field.allCases.filter(fields.contains).map(\.rawValue).joined(separator: ", ")
    note(
      tr("alarm \(alarm.number)"), names.isEmpty ? text : "\(text) (\(names))", isConflict: true)
  }

  private mutating func takeNew(_ alarm: WireAlarm) throws {
    guard let id = alarm.id, !ids.contains(id), let content = reader.content(of: alarm, common: nil) else {
      return
    }
    if let other = try other(id) {
      if try other.isKept || move(alarm, content, from: other) { return }
    }
    write(alarm, content)
  }

  private mutating func other(_ id: AlarmID) throws -> OtherFile? {
    let others = try others ?? elsewhere()
    self.others = others
    return others[id]
  }

  /// Whether another folder has a file of this folder's alarm.
  mutating func hasFile(_ id: AlarmID) throws -> Bool {
    try other(id).map { $0.folder.stamp(of: $0.entry.file) != nil } ?? false
  }

  /// Takes the file that another folder has, with all that others wrote into it. False if it has none.
  private mutating func move(
    _ alarm: WireAlarm, _ here: CalendarContent, from other: OtherFile
  ) throws -> Bool {
    let old = other.entry
    guard let stamp = other.folder.stamp(of: old.file), let bytes = try other.folder.read(old.file),
      let item = try? reader.item(bytes), let found = item.entry, item.uid == old.uid,
      uids.insert(item.uid).inserted
    else { return false }
    var entry = old
    entry.file = freeName(String(old.file.dropLast(".ics".count)))
    entry.stamp = nil
    if let id = alarm.id { ids.insert(id) }
    let common = old.common.flatMap(reader.content)
    let past = old.apart.flatMap(reader.content) ?? common
    let there = reader.content(of: found, past: past)
    settle(entry, alarm, here: here, item, there: there, past: common.map { ($0, past ?? $0) })
    if plan.writes.last?.file != entry.file {
      plan.writes.append(SyncPlan.Write(file: entry.file, bytes: bytes, replaced: nil))
    }
    plan.writes[plan.writes.count - 1].source =
      SyncState.Steps.Removal(file: old.file, stamp: stamp, folder: other.folder.path)
    return true
  }

  private mutating func freeName(_ stem: String) -> String {
    var file = stem + ".ics"
    var count = 1
    while files[file] != nil || !names.insert(file).inserted {
      count += 1
      file = "\(stem)-\(count).ics"
    }
    return file
  }

  mutating func write(_ alarm: WireAlarm, _ content: CalendarContent) {
    guard let id = alarm.id else { return }
    let uid = id.description
    var written = CalendarAlarm(content, uid: uid)
    written.createdAt = alarm.createdAt
    written.modifiedAt = alarm.modifiedAt ?? alarm.createdAt
    written.doneAt = alarm.doneAt
    guard uids.insert(uid).inserted,
      let text = CalendarItem.text(
        of: written, in: reader.context, daysOff: { [reader] in reader.daysOff[$0] })
    else {
      return
    }
    ids.insert(id)
    let file = freeName(uid)
    plan.writes.append(SyncPlan.Write(file: file, bytes: Array(text.utf8), replaced: nil))
    plan.entries.append(
      SyncState.Entry(
        file: file, stamp: nil, uid: uid, id: id, common: reader.text(of: content, uid: uid),
        digest: alarm.digest))
  }
}

/// What synchronising will do: to the list, to the folder, and what both then have in common.
struct SyncPlan {
  struct Write {
    var file: String
    var bytes: [UInt8]
    /// The file that it replaces; nil for a new one.
    var replaced: SyncFolder.Stamp?
    /// Where it was before, in another folder.
    var source: SyncState.Steps.Removal?
  }

  /// Something that a person should know.
  struct Notice {
    /// The alarm, or the file.
    var subject: String
    var text: String
    var isConflict: Bool
  }

  /// To a ring here, from the folder.
  struct Answer {
    var id: AlarmID
    /// nil: it is dismissed.
    var until: Instant?
  }

  var entries: [SyncState.Entry] = []
  var created: [WireAlarm] = []
  var replaced: [WireAlarm] = []
  var deleted: [AlarmID] = []
  var writes: [Write] = []
  var removals: [SyncState.Steps.Removal] = []
  var notices: [Notice] = []
  var answers: [Answer] = []

  var changesList: Bool { !created.isEmpty || !replaced.isEmpty || !deleted.isEmpty }
  var changesFolder: Bool { !writes.isEmpty || !removals.isEmpty }
}
