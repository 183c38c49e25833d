import Alarms
import EggProtocol
import EggTime
import Foundation
import ICalendar
import Testing

@testable import EggCommands

/// What synchronising does in each case, with a real folder and no eggd. It is 2026-11-20 21:34:30 UTC.
@Suite struct SyncPlannerTests {
  private let folder: SyncFolder
  private let reader = ContentReader(context: ReadingContext(now: Run.now, zone: .utc))

  init() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "eggctl-sync-\(UUID().uuidString)").path
    folder = SyncFolder(path: path)
    try folder.create()
  }

  private static let moment = Instant(microseconds: 1_800_000_000_000_000)

  private func alarm(_ label: String, _ change: (inout Alarm) -> Void = { _ in }) -> WireAlarm {
    var alarm = Alarm(
      number: 7, id: AlarmID(), label: label, position: 0, timing: .instant(Self.moment),
      expression: "2027-01-15T08:00:00Z", readingZone: "UTC", createdAt: Run.now, due: .wall(Self.moment))
    change(&alarm)
    return WireAlarm(alarm) { Instant(microseconds: $0.microseconds) }
  }

  private func plan(
    _ known: [SyncState.Entry], _ alarms: [WireAlarm]
  ) throws -> SyncPlan {
    try SyncPlanner.plan(known, folder, try folder.scan() ?? [:], alarms, reader)
  }

  /// The entries after a plan's files were written.
  private func settled(_ plan: SyncPlan) throws -> [SyncState.Entry] {
    for write in plan.writes {
      try folder.stage(".staged", write.text)
      try folder.publish(".staged", as: write.file)
    }
    return plan.entries.map { entry in
      var entry = entry
      entry.stamp = folder.stamp(of: entry.file)
      return entry
    }
  }

  /// A folder and a list that are equal.
  private func pair(_ alarm: WireAlarm) throws -> [SyncState.Entry] {
    let first = try plan([], [alarm])
    #expect(first.writes.count == 1 && !first.changesList)
    let known = try settled(first)
    let second = try plan(known, [alarm])
    #expect(!second.changesFolder && !second.changesList)
    return known
  }

  private func rewrite(_ entry: SyncState.Entry, _ change: (String) -> String) throws {
    let text = String(decoding: try #require(try folder.read(entry.file)), as: UTF8.self)
    try folder.stage(".staged", change(text))
    try folder.publish(".staged", as: entry.file)
  }

  private func remove(_ entry: SyncState.Entry) throws {
    try folder.remove(entry.file, try #require(folder.stamp(of: entry.file)))
  }

  @Test("An alarm becomes a file, and then nothing is left to do") func first() throws {
    let known = try pair(alarm("tea"))
    let text = String(decoding: try #require(try folder.read(known[0].file)), as: UTF8.self)
    #expect(text.contains("SUMMARY:tea") && text.contains("DTSTART:20270115T080000Z"))
    #expect(known[0].id != nil && known[0].digest != nil && known[0].common != nil)
  }

  @Test("A file that is too large is read to the limit, named and left") func large() throws {
    #expect(mkfifo(folder.path + "/fifo.ics", 0o600) == 0)
    try folder.stage(".staged", "")
    try folder.publish(".staged", as: "large.ics")
    #expect(truncate(folder.path + "/large.ics", 3 << 30) == 0)
    #expect(try folder.read("large.ics")?.count == SyncFolder.longest + 1)
    #expect(try folder.read("fifo.ics") == nil)
    let plan = try plan([], [])
    #expect(plan.entries.map(\.problem) == ["it is too large"])
  }

  @Test("Fields that were changed on different sides are merged") func merge() throws {
    let old = alarm("tea")
    let known = try pair(old)
    try rewrite(known[0]) { $0.replacing("SUMMARY:tea", with: "SUMMARY:green tea") }
    var new = old
    (new.note, new.modifiedAt) = ("two minutes", Run.now + .seconds(5))
    let plan = try plan(known, [new])
    #expect(plan.replaced.map(\.label) == ["green tea"])
    #expect(plan.replaced.map(\.note) == ["two minutes"])
    #expect(plan.writes.count == 1 && plan.writes[0].text.contains("COMMENT:two minutes"))
    #expect(plan.writes[0].text.contains("SUMMARY:green tea") && plan.writes[0].text.contains("SEQUENCE:1"))
    #expect(plan.notices.isEmpty)
  }

  @Test(
    "Of a field that both sides changed, the later change stays, and that is said", arguments: [true, false])
  func conflict(isFolderLater: Bool) throws {
    let old = alarm("tea")
    let known = try pair(old)
    let stamp = isFolderLater ? "20261120T220000Z" : "20261120T213430Z"
    try rewrite(known[0]) {
      $0.replacing("SUMMARY:tea", with: "SUMMARY:there").replacing(
        "LAST-MODIFIED:20261120T213430Z", with: "LAST-MODIFIED:\(stamp)")
    }
    var new = old
    (new.label, new.modifiedAt) = ("here", Run.now + .seconds(5))
    let plan = try plan(known, [new])
    #expect(plan.replaced.map(\.label) == (isFolderLater ? ["there"] : []))
    #expect(plan.writes.map { $0.text.contains("SUMMARY:here") } == (isFolderLater ? [] : [true]))
    let winner = isFolderLater ? "the folder's change" : "the change here"
    #expect(plan.notices.map(\.text) == ["changed on both sides; \(winner) is later and stays (label)"])
    #expect(plan.notices.map(\.number) == [7])
  }

  @Test("A deletion is carried over, and a change beats it") func deletions() throws {
    let old = alarm("tea")
    let known = try pair(old)
    let here = try plan(known, [])
    #expect(here.removals.map(\.file) == [known[0].file] && here.entries.isEmpty)
    try rewrite(known[0]) { $0.replacing("SUMMARY:tea", with: "SUMMARY:green tea") }
    let changedThere = try plan(known, [])
    #expect(changedThere.created.map(\.label) == ["green tea"] && changedThere.created.map(\.id) == [old.id])
    try remove(known[0])
    let there = try plan(known, [old])
    #expect(there.deleted == [old.id] && !there.changesFolder && there.entries.isEmpty)
    var new = old
    new.label = "green tea"
    let changedHere = try plan(known, [new])
    #expect(changedHere.deleted.isEmpty && changedHere.writes.count == 1)
    #expect(changedHere.notices.count == 1)
  }

  @Test("A ring, a snooze and a passed moment are no changes") func rings() throws {
    let old = alarm("tea")
    let known = try pair(old)
    var rung = old
    (rung.state, rung.due, rung.modifiedAt) = (.rung, nil, Run.now)
    rung.latest = WireOccurrence(Occurrence(id: 1, dueAt: Self.moment, outcome: .rung))
    let plan = try plan(known, [rung])
    #expect(!plan.changesList && !plan.changesFolder && plan.notices.isEmpty)
  }

  @Test("A countdown's moment may move with the clock") func countdowns() throws {
    let old = alarm("tea") { $0.timing = .countdown(.seconds(9_000)) }
    let known = try pair(old)
    var later = old
    (later.due, later.modifiedAt) = (Self.moment + .seconds(1), Run.now)
    #expect(try !plan(known, [later]).changesFolder)
    (later.due, later.span) = (Self.moment + .seconds(60), .seconds(9_060))
    #expect(try plan(known, [later]).writes.count == 1)
    var paused = old
    (paused.state, paused.due, paused.remaining, paused.modifiedAt) = (.paused, nil, .seconds(60), Run.now)
    #expect(try !plan(known, [paused]).changesFolder)
  }

  @Test("A file with another name keeps its alarm; one with another UID does not") func names() throws {
    let old = alarm("tea")
    let known = try pair(old)
    try #require(rename("\(folder.path)/\(known[0].file)", "\(folder.path)/other.ics") == 0)
    let renamed = try plan(known, [old])
    #expect(!renamed.changesList && !renamed.changesFolder && renamed.entries.map(\.file) == ["other.ics"])
    let other = try settled(renamed)
    try rewrite(other[0]) { $0.replacing("UID:", with: "UID:x") }
    let replaced = try plan(other, [old])
    #expect(replaced.deleted == [old.id] && replaced.created.count == 1)
  }

  @Test("A file that is no entry stays, is named, and keeps its alarm") func broken() throws {
    let old = alarm("tea")
    let known = try pair(old)
    try rewrite(known[0]) { _ in "nonsense" }
    let plan = try plan(known, [old])
    #expect(!plan.changesList && !plan.changesFolder)
    #expect(plan.entries.map { $0.problem != nil } == [true] && plan.entries[0].id == old.id)
  }

  @Test("Without a common past, equal sides are a pair, and nothing is deleted") func anew() throws {
    let old = alarm("tea")
    _ = try pair(old)
    let equal = try plan([], [old])
    #expect(!equal.changesList && !equal.changesFolder && equal.entries.map(\.id) == [old.id])
    let gone = try plan([], [])
    #expect(gone.created.map(\.id) == [old.id] && gone.removals.isEmpty)
  }

  @Test("An entry that others made has the same identity on every machine") func identities() throws {
    #expect(Digest.identity(of: "dentist-1@example.org") == Digest.identity(of: "dentist-1@example.org"))
    #expect(Digest.identity(of: "a") != Digest.identity(of: "b"))
    let text = try #require(Digest.identity(of: "a")).description
    #expect(Array(text)[14] == "8" && "89ab".contains(Array(text)[19]))
  }
}
