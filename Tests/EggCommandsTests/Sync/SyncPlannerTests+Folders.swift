import Alarms
import EggProtocol
import EggTime
import ICalendar
import Testing

@testable import EggCommands

/// What a folder has: its placeholder, its group, its direction, and what arrives in it.
extension SyncPlannerTests {
  @Test("A cancelled entry that is the same everywhere keeps the folder from being empty, and stays")
  func placeholder() throws {
    let plan = try SyncPlanner.plan([], folder, [:], [], reader)
    #expect(plan.writes.map(\.file) == ["eggd-placeholder.ics"] && !plan.changesList)
    let entry = try #require(plan.entries.first)
    #expect(entry.uid == "eggd-placeholder" && entry.id == nil && plan.entries.count == 1)
    let item = try CalendarItem(plan.writes[0].bytes, in: reader.context)
    #expect(item.entry == nil && item.uid == entry.uid)
    let known = try settled(plan)
    let next = try SyncPlanner.plan(known, folder, try folder.scan() ?? [:], [], reader)
    #expect(!next.changesFolder && !next.changesList && next.entries == known)
    try remove(known[0])
    #expect(
      try SyncPlanner.plan(known, folder, [:], [], reader).writes.map(\.bytes) == [SyncPlaceholder.bytes])
  }

  @Test("A folder to which nothing goes gets no placeholder, no new alarm, no change and no deletion")
  func readOnly() throws {
    let scope = SyncScope(isReadOnly: true)
    #expect(try !SyncPlanner.plan([], folder, [:], [alarm("tea")], reader(scope)).changesFolder)
    try event("holiday", "20270101T090000Z")
    let first = try plan([], [], scope: scope)
    let made = try #require(first.created.first)
    var known = try settled(first)
    var new = made
    (new.label, new.modifiedAt) = ("free", Run.now)
    let changed = try plan(known, [new], scope: scope)
    #expect(!changed.changesFolder && !changed.changesList)
    known = changed.entries
    #expect(try !plan(known, [new], scope: scope).changesFolder)
    try event("holiday", "20270101T100000Z")
    let merged = try plan(known, [new], scope: scope)
    #expect(merged.replaced.map(\.label) == ["free"] && !merged.changesFolder)
    #expect(merged.replaced.map(\.due) == [Instant(microseconds: 1_798_797_600_000_000)])
    let deleted = try plan(known, [], scope: scope)
    #expect(!deleted.changesFolder && deleted.created.map(\.label) == ["holiday"])
    let kept = try plan(try settled(merged), [], scope: scope)
    #expect(!kept.changesFolder && !kept.changesList && kept.entries.map(\.id) == [nil])
  }

  private func reader(_ scope: SyncScope) -> ContentReader {
    var reader = reader
    reader.scope = scope
    return reader
  }

  @Test("A folder of a group has that group, whatever its entries say, and no other alarm") func group()
    throws
  {
    let scope = SyncScope(group: "work")
    try event("meeting", "20270101T090000Z", "CATEGORIES:private")
    let plan = try plan([], [alarm("tea"), alarm("report") { $0.group = "work" }], scope: scope)
    #expect(plan.created.map(\.group) == ["work"])
    #expect(plan.writes.map { $0.text.contains("SUMMARY:report") } == [true])
    var made = try #require(plan.created.first)
    let known = try settled(plan).filter { $0.id == made.id }
    try event("meeting", "20270101T090000Z", "CATEGORIES:private", "COMMENT:room 1")
    let changed = try self.plan(known, [made], scope: scope)
    #expect(changed.replaced.map(\.group) == ["work"] && !changed.changesFolder)
    made.group = nil
    let left = try self.plan(known, [made], scope: scope)
    #expect(
      !left.changesFolder && !left.created.contains { $0.id == made.id } && left.entries.first?.id == made.id)
  }

  @Test("Without a group, a folder leaves alone what other folders have") func others() throws {
    let shared = alarm("holiday")
    let scope = SyncScope(
      others: OtherFolders(groups: ["work": "/work"], alarms: [try #require(shared.id)]))
    try event("meeting", "20270101T090000Z", "CATEGORIES:work")
    let plan = try plan([], [shared, alarm("report") { $0.group = "work" }], scope: scope)
    #expect(!plan.changesFolder && plan.created.map(\.label) == ["meeting"])
    #expect(plan.created.map(\.group) == [nil])
  }

  @Test("An entry whose alarm another folder has waits until it is gone there") func moving() throws {
    try event("meeting", "20270101T090000Z")
    let id = try #require(Digest.identity(of: "meeting"))
    let elsewhere = alarm("meeting") { ($0.id, $0.group) = (id, "work") }
    let scope = SyncScope(group: "home")
    let waiting = try plan([], [elsewhere], scope: scope)
    #expect(!waiting.changesList && !waiting.changesFolder && waiting.entries.map(\.stamp) == [nil])
    #expect(try plan(waiting.entries, [], scope: scope).created.map(\.group) == ["home"])
  }

  @Test("An alarm's new folder takes its file from the old one, with all that others wrote into it")
  func movingWithFile() throws {
    try event("meeting", "20270101T090000Z", "CATEGORIES:work", "LOCATION:room 1")
    let first = try plan([], [])
    let known = try settled(first)
    let made = try #require(first.created.first)
    let scope = SyncScope(others: OtherFolders(groups: ["work": "/work"]))
    var moved = made
    (moved.group, moved.label, moved.modifiedAt) = ("work", "report", Run.now)
    let waiting = try plan(known, [moved], scope: scope)
    #expect(
      !waiting.changesFolder && !waiting.changesList && waiting.entries.compactMap(\.problem).count == 1)
    let again = try plan(waiting.entries, [moved], scope: scope)
    #expect(!again.changesFolder && again.entries.map(\.id) == [made.id])

    let new = SyncFolder(path: folder.path + "/work")
    try new.create()
    func taken(isKept: Bool) throws -> SyncPlan {
      let other = OtherFile(folder: folder, entry: again.entries[0], isKept: isKept)
      var plan = try SyncPlanner.plan(
        [], new, [:], [moved], reader(SyncScope(group: "work")), elsewhere: { [other.entry.id!: other] })
      plan.writes.removeAll { $0.file == SyncPlaceholder.file }
      return plan
    }
    #expect(try !taken(isKept: true).writes.contains { $0.file != SyncPlaceholder.file })
    let write = try #require(try taken(isKept: false).writes.first)
    #expect(write.file == "meeting.ics" && write.source?.stamp == folder.stamp(of: "meeting.ics"))
    for line in ["UID:meeting", "LOCATION:room 1", "CATEGORIES:work", "SUMMARY:report"] {
      #expect(write.text.contains("\r\n\(line)\r\n"), "\(line)")
    }
    let back = try plan(again.entries, [made])
    #expect(!back.changesFolder && back.entries.map(\.problem) == [nil])
    try remove(known[0])
    let gone = try plan(again.entries, [moved], scope: scope)
    #expect(!gone.changesList && !gone.changesFolder && gone.entries.isEmpty)
  }

  @Test("What arrives past its moment was missed if that lies after the arrival before, else it is past")
  func late() throws {
    try event("tea", "20261120T213000Z")
    #expect(try plan([], []).created.isEmpty)
    #expect(try plan([], [], since: Run.now - .seconds(60)).created.isEmpty)
    let due = Run.now - .seconds(270)
    let late = try plan([], [], since: Run.now - .seconds(300))
    #expect(late.created.map(\.due) == [due])
    try event("tea", "20261119T213000Z", "RRULE:FREQ=DAILY;COUNT=5")
    let recurring = try plan([], [], since: Run.now - .seconds(300))
    #expect(recurring.created.map(\.due) == [due])
    #expect(recurring.created.map(\.count) == [4])
  }

  @Test("The arrival before is the last one that is not of the same five minutes") func arrivals() {
    var state = SyncState()
    let stamp = SyncFolder.Stamp(file: 1, size: 1, modifiedAt: 1)
    func arrive(_ files: [String], _ seconds: Int64) -> Instant? {
      let now = Run.now + .seconds(seconds)
      state.note(Dictionary(uniqueKeysWithValues: files.map { ($0, stamp) }), at: now)
      return state.since
    }
    #expect(arrive([], 0) == Run.now)
    #expect(arrive(["a.ics"], 60) == Run.now)
    state.entries = [SyncState.Entry(file: "a.ics", stamp: stamp)]
    #expect(arrive(["a.ics"], 1_000) == Run.now)
    #expect(arrive(["a.ics", "b.ics"], 2_000) == Run.now + .seconds(60))
    #expect(arrive(["a.ics", "c.ics"], 2_001) == Run.now + .seconds(60))
  }
}
